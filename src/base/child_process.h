#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"

namespace assay {

struct ChildResult {
  int exit = 0;  // 128 + N: ended by signal N
  std::string out, err;
};

// Runs a program that is looked up in PATH, without a shell: `input` is its
// standard input. NotFound if there is no such program.
Result<ChildResult> RunChild(const std::vector<std::string>& words,
                             std::string_view input);

// The parts of it, for callers that do not wait for the end.

// A nameless file that holds the text, to be read from its start.
Result<InputFile> FileHolding(std::string_view text);

// The numbers of files that a child gets as its first three.
struct ChildStreams {
  int in, out, err;
};

// Starts a program. With a group of its own, Ctrl-C on the terminal does not
// reach it, and all that it starts can be ended together.
enum class ChildGroup : bool { kOurs, kItsOwn };
Result<pid_t> StartChild(const std::vector<std::string>& words,
                         ChildStreams streams,
                         ChildGroup group = ChildGroup::kOurs);

// Its exit code as in ChildResult.
Result<int> WaitForChild(pid_t pid);

}  // namespace assay
