#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// A program on a terminal of its own, for those that talk to people only. The
// terminal is wide, echoes nothing and changes no character.
class PtyChild {
 public:
  static Result<PtyChild> Start(const std::vector<std::string>& words);
  PtyChild(PtyChild&& other) noexcept;
  PtyChild& operator=(PtyChild&&) = delete;
  ~PtyChild();  // ends it

  // What it prints from here on, up to and with `mark`. An error, which has
  // the last lines in its hint, if it ends or is silent for so long.
  Result<std::string> ReadUntil(std::string_view mark, double seconds);
  Status Send(std::string_view text);
  // Waits for its end; it is killed if it takes longer. The rest that it
  // printed; its exit code is 128 + N if ended by signal N.
  struct End {
    int exit = 0;
    std::string rest;
  };
  Result<End> Finish(double seconds);

 private:
  PtyChild(pid_t pid, int terminal) : pid_(pid), terminal_(terminal) {}
  enum class Read { kSome, kEnd, kSilent };
  Read Fill(double seconds);

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string buffer_;  // printed and not given out yet
};

}  // namespace assay
