#include "legacy/converted_copies.h"

#include <fmt/format.h>

#include "legacy/old_files.h"
#include "legacy/old_layout.h"
#include "legacy/old_pack.h"

namespace assay {

bool ConvertedCopies::Makes(Layout from, Layout to) const {
  return scripts_.Has(from, to) ||
         (to == Layout::kFractalZ && IsOldConversion(from, to));
}

OldResult<OldShaped> ConvertedCopies::Make(const OldShaped& array,
                                           const OldConversion& how) {
  auto values = WholeArray(array.view);
  if (!values) return Failure(OldCode::kDumpData, values.error());
  values->shape = array.shape;
  auto converted = Convert(*values, how);
  if (!converted) return converted.error();
  return Keep(*converted);
}

OldResult<OldArray> ConvertedCopies::Convert(const OldArray& array,
                                             const OldConversion& how) {
  if (scripts_.Has(how.from, how.to)) {
    return scripts_.Run(array, {how.from, how.to, how.wanted, how.groups});
  }
  auto packed = PackWeights(array, how.from, how.groups);
  if (!packed) return Failure(OldCode::kConversion, packed.error());
  return *std::move(packed);
}

OldResult<const ScratchFolder*> ConvertedCopies::Folder() {
  const std::lock_guard lock(mutex_);
  if (!folder_) {
    auto made = ScratchFolder::Make();
    if (!made) return Failure(OldCode::kWrite, made.error());
    folder_.emplace(*std::move(made));
  }
  return &*folder_;
}

OldResult<OldShaped> ConvertedCopies::Keep(const OldArray& array) {
  const auto folder = Folder();
  if (!folder) return folder.error();
  const std::lock_guard lock(mutex_);
  const std::string path =
      fmt::format("{}/copy_{}.npy", (*folder)->path(), copies_.size());
  if (const auto wrote = WriteNpy(array, path); !wrote) {
    return Failure(OldCode::kWrite, wrote.error());
  }
  auto dump = OpenDumpFile(path);
  if (!dump) return dump.error();
  copies_.push_back(*std::move(dump));
  const Dump& copy = copies_.back();
  return OldShaped::Whole(copy.ViewOf(copy.tensors.at(0)));
}

}  // namespace assay
