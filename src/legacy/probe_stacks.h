#pragma once

#include <map>
#include <string>

namespace assay {

// stack.json of msprobe: where each call was made.
//   {"0": [["Functional.linear.0.forward", ...], ["File x.py, line 3, ..."]]}
// or, older, {"Functional.linear.0.forward": ["File x.py, line 3, ..."]}
class ProbeStacks {
 public:
  // In the folder of a dump.json; nothing is found if it cannot be read.
  static ProbeStacks Beside(const std::string& dump);

  bool found() const { return found_; }
  // A Python list of lines; "N/A": not known.
  std::string At(const std::string& api) const;

 private:
  bool found_ = false;
  std::map<std::string, std::string> stacks_;
};

}  // namespace assay
