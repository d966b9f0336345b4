#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"

namespace assay {

// A running program whose lines are read as they come. It has a group of its
// own, which is ended with it: nothing that it started is left behind.
class ChildLines {
 public:
  // No line is longer.
  static constexpr size_t kLongest = 64 << 20;

  // `input` is its standard input.
  static Result<ChildLines> Start(const std::vector<std::string>& words,
                                  std::string_view input);
  // Its standard input stays open for Send().
  static Result<ChildLines> StartTalking(const std::vector<std::string>& words);
  ChildLines(ChildLines&& other) noexcept;
  ChildLines& operator=(ChildLines&&) = delete;
  ~ChildLines();

  // All of `text` to its standard input; false: it does not listen any more.
  // What it wrote to standard error before is no part of ErrorTail().
  bool Send(std::string_view text);

  // Its next line, without the end of line. Nothing when there is none any
  // more: see why().
  std::optional<std::string> Next(double seconds,
                                  const std::atomic<bool>& stop);

  enum class End : uint8_t {
    kNone,
    kClosed,   // its output, or it ended
    kStayed,   // it closed its output and did not end
    kTimeout,  // no line for so long
    kStopped,  // as asked
    kTooLong,  // a line without an end
    kUnreadable,
  };
  End why() const { return end_; }

  // With all that it started; Finish() has yet to be called.
  void Kill() const;

  // Its end, which is forced after a timeout or a stop, and if it takes too
  // long. 128 + N if ended by signal N.
  Result<int> Finish();
  // The end of what it wrote to standard error.
  std::string ErrorTail(size_t bytes) const;

 private:
  ChildLines(pid_t pid, int out, InputFile err)
      : pid_(pid), out_(out), err_(std::move(err)) {}
  static Result<ChildLines> StartWith(const std::vector<std::string>& words,
                                      int input);
  size_t ErrorBytes() const;
  bool Fill(double seconds, const std::atomic<bool>& stop);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  InputFile err_;
  size_t err_from_ = 0;
  std::string buffer_;
  size_t searched_ = 0;  // of the buffer, for an end of line
  End end_ = End::kNone;
};

}  // namespace assay
