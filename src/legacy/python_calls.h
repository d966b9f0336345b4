#pragma once

#include <span>
#include <string>
#include <string_view>
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

// Asks one process; after a call that did not end, another one goes on with the
// next. A call may take a minute, or ASSAY_SCRIPT_SECONDS.
std::vector<PythonAnswer> AskPython(const PythonDriver& driver,
                                    std::span<const std::string> requests);

}  // namespace assay
