#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace assay {

// A folder that is gone when nobody needs it any more.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }
  void Clear() const;  // removes its files

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Whether scripts of users can be run here: Python with NumPy. The error says
// what is missing.
Status CheckPython();

// A program in Python that answers each line of its input with a line.
struct PythonDriver {
  std::string_view program;
  std::vector<std::string> arguments;
};

// An answer; without one, why there is none: it took too long, Python ended.
struct PythonAnswer {
  std::string line, failure;
};

// What a driver is asked for scripts that are told apart by numbers.
struct PythonRequest {
  std::string line;
  size_t script = 0;
};

// Asks one process; after a call that did not end, another one goes on with the
// next. A call may take a minute, or ASSAY_SCRIPT_SECONDS. A script that did
// not end twice is not asked again: a network has thousands of tensors.
class PythonCalls {
 public:
  explicit PythonCalls(PythonDriver driver) : driver_(std::move(driver)) {}

  std::vector<PythonAnswer> Ask(std::span<const PythonRequest> requests);

 private:
  bool IsGivenUp(size_t script) const;
  void AskSome(std::span<const PythonRequest> requests,
               std::vector<PythonAnswer>& answers);

  PythonDriver driver_;
  std::map<size_t, int> hangs_;  // by script
};

// One script, asked once and for all.
std::vector<PythonAnswer> AskPython(const PythonDriver& driver,
                                    std::span<const std::string> lines);

}  // namespace assay
