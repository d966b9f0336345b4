#include "sources/dump_choice.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace assay {
namespace {

auto GroupKey(const DumpFile& f) {
  return std::tuple(f.folder, f.op, f.name.type);
}

int64_t SliceOf(const DumpFile& f) {
  const int64_t number = SliceNumber(f.name.op);
  return number >= 0 ? number : f.name.thread;
}

// What is no slice comes first.
auto PartKey(const DumpFile& f) {
  return std::tuple(f.name.IsSlice(), f.name.IsSlice() ? SliceOf(f) : 0);
}

class Chooser {
 public:
  Chooser(const BetterDump& better, DumpChoice& out)
      : better_(better), out_(out) {}

  void Choose(std::span<DumpFile> group) {
    if (group.size() > 1) group = DropSummaries(group);
    out_.groups.push_back(out_.files.size());
    if (group.size() == 1) {
      out_.files.push_back(group.front());
      return;
    }
    const DumpFile& best = Best(group);
    const bool slices = best.name.IsSlice() && !best.name.summary;
    if (!slices) return Keep(group, best);
    std::stable_sort(group.begin(), group.end(),
                     [](const DumpFile& a, const DumpFile& b) {
                       return PartKey(a) < PartKey(b);
                     });
    KeepSlices(group);
  }

 private:
  const DumpFile& Best(std::span<const DumpFile> files) const {
    const DumpFile* best = &files.front();
    for (const DumpFile& f : files.subspan(1)) {
      if (better_(f, *best)) best = &f;
    }
    return *best;
  }

  // Statistics are of no use where the values are.
  std::span<DumpFile> DropSummaries(std::span<DumpFile> group) {
    const auto middle = std::stable_partition(
        group.begin(), group.end(),
        [](const DumpFile& f) { return !f.name.summary; });
    const std::span<DumpFile> values(group.begin(), middle);
    const std::span<DumpFile> rest(middle, group.end());
    if (values.empty() || rest.empty()) return group;
    for (const DumpFile& f : rest) {
      out_.dropped.push_back({f.file, values.front().file, true});
    }
    return values;
  }

  void Keep(std::span<const DumpFile> same, const DumpFile& best) {
    out_.files.push_back(best);
    for (const DumpFile& f : same) {
      if (&f != &best) out_.dropped.push_back({f.file, best.file});
    }
  }

  // They are sorted, and the last one is a slice.
  void KeepSlices(std::span<const DumpFile> group) {
    while (!group.empty()) {
      size_t n = 1;
      while (n < group.size() && PartKey(group[n]) == PartKey(group[0])) {
        ++n;
      }
      const auto same = group.first(n);
      group = group.subspan(n);
      if (same.front().name.IsSlice()) {
        Keep(same, Best(same));
        continue;
      }
      for (const DumpFile& f : same) {
        out_.dropped.push_back({f.file, group.front().file});
      }
    }
  }

  const BetterDump& better_;
  DumpChoice& out_;
};

}  // namespace

bool IsNewer(const DumpFile& a, const DumpFile& b) {
  return std::tuple(a.name.time, a.file) > std::tuple(b.name.time, b.file);
}

DumpChoice ChooseDumps(std::vector<DumpFile> files, const BetterDump& better) {
  std::ranges::sort(files, [](const DumpFile& a, const DumpFile& b) {
    return std::tuple_cat(GroupKey(a), std::tuple(a.file)) <
           std::tuple_cat(GroupKey(b), std::tuple(b.file));
  });
  DumpChoice choice;
  choice.files.reserve(files.size());
  Chooser chooser(better, choice);
  for (size_t begin = 0; begin < files.size();) {
    size_t end = begin + 1;
    while (end < files.size() && GroupKey(files[end]) == GroupKey(files[begin]))
      ++end;
    chooser.Choose(std::span(files).subspan(begin, end - begin));
    begin = end;
  }
  return choice;
}

}  // namespace assay
