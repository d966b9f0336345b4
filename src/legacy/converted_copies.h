#pragma once

#include <deque>
#include <mutex>
#include <optional>

#include "legacy/format_scripts.h"
#include "legacy/old_conversion.h"

namespace assay {

// Tensors in layouts that no order of the stored values is: packed ones, whose
// padding is not stored, and what scripts of users make. They are files of a
// scratch folder as long as this lives.
class ConvertedCopies {
 public:
  explicit ConvertedCopies(FormatScripts scripts)
      : scripts_(std::move(scripts)) {}

  bool Makes(Layout from, Layout to) const;
  OldResult<OldShaped> Make(const OldShaped& array, const OldConversion& how);

 private:
  OldResult<OldArray> Convert(const OldArray& array, const OldConversion& how);
  OldResult<OldShaped> Keep(const OldArray& array);
  OldResult<const ScratchFolder*> Folder();

  const FormatScripts scripts_;
  std::mutex mutex_;  // of what follows
  std::optional<ScratchFolder> folder_;
  std::deque<Dump> copies_;
};

}  // namespace assay
