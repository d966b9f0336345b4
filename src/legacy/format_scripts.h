#pragma once

#include <map>
#include <string>
#include <utility>

#include "legacy/old_array.h"
#include "legacy/python_calls.h"

namespace assay {

// What a script is asked to turn an array into.
struct ScriptConversion {
  Layout from = Layout::kND, to = Layout::kND;
  Shape wanted;
  int32_t groups = 1;
};

// Scripts of users that know layouts: FOLDER/format_convert/
// convert_NC1HWC0_to_ND.py with convert(shape_from, shape_to, array[, group]).
// They go before what is built in.
class FormatScripts {
 public:
  // An empty folder: there are none.
  static OldResult<FormatScripts> Find(const std::string& folder);

  bool Has(Layout from, Layout to) const;
  OldResult<OldArray> Run(const OldArray& array,
                          const ScriptConversion& how) const;

 private:
  std::map<std::pair<Layout, Layout>, std::string> scripts_;
};

}  // namespace assay
