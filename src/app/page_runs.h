#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/page_root.h"
#include "core/comparison.h"
#include "pipeline/look.h"

namespace assay {

// The runs that the page shows. Many threads ask, jobs add.
class PageRuns {
 public:
  explicit PageRuns(const PageRoot& root) : root_(root) {}

  // `folder` is where the run's sources are seen from. Returns its number.
  size_t Add(std::string name, Comparison run, const std::string& folder);

  std::string ListJson() const;
  Result<std::string> Data(size_t number);
  // One row, read again from the dump: {"row":…,"detail":…}.
  Result<std::string> RowJson(size_t number, size_t row) const;

 private:
  struct Entry {
    std::string name, folder;
    Comparison run;
    std::mutex mutex;  // of what follows, made when first asked for
    std::string data;
    std::shared_ptr<const RunDumps> dumps;
  };
  using EntryRef = std::shared_ptr<Entry>;
  Result<EntryRef> At(size_t number) const;
  Result<std::string> SourceOf(const Entry& entry,
                               const SourceLabel& label) const;
  Result<std::shared_ptr<const RunDumps>> DumpsOf(Entry& entry) const;
  Result<RowDetail> Look(Entry& entry, const Row& row) const;

  const PageRoot& root_;
  mutable std::mutex mutex_;
  std::vector<EntryRef> entries_;
};

}  // namespace assay
