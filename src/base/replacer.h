#pragma once

#include <string>
#include <vector>

#include "base/file_state.h"
#include "base/result.h"

namespace assay {

// Puts a file in the place of another under a new name: the new one appears
// and the old one goes. These are two steps of the file system, so a small
// process of its own takes them: whoever kills this one, even with kill -9,
// never finds both or neither.
class Replacer {
 public:
  // Before there are threads. `say` is told of each replacement, in that
  // process.
  static Result<Replacer> Start(void (*say)(const std::string& from,
                                            const std::string& to));
  Replacer(Replacer&& other) noexcept;
  ~Replacer();  // after the last one is done

  struct Job {
    std::string temporary, to;  // complete, and the name it gets
    std::string from;           // to be removed
    FileState state;            // of that, or both stay as they are
  };
  // Some jobs, then an answer to each, in their order: whether it was done;
  // false where the file has changed. From one thread at a time.
  void Send(const Job& job);
  Result<bool> Answer();

 private:
  Replacer(int out, int in, int pid) : out_(out), in_(in), pid_(pid) {}

  int out_ = -1, in_ = -1, pid_ = -1;
};

}  // namespace assay
