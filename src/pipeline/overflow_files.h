#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sources/dump_name.h"
#include "sources/mapping_csv.h"
#include "sources/tree.h"

namespace assay {

// A file of a dump and what its real name says.
struct NamedDump {
  uint32_t file = 0;          // index into OverflowFiles::files()
  std::string_view original;  // what the file is really called
  DumpName name;
};

// The operator that a record is about; -1 is "does not say".
struct RecordTarget {
  int64_t task = -1, stream = -1, context = -1, thread = -1;
};

// The overflow records of a folder, at any depth, and the dumps beside them.
class OverflowFiles {
 public:
  // Of a folder, or of one record's file.
  static Result<OverflowFiles> Find(const std::string& path);

  const std::string& root() const { return tree_.root; }
  const std::vector<std::string>& files() const { return tree_.files; }
  // The oldest first.
  const std::vector<NamedDump>& records() const { return records_; }
  // The dump in the record's folder that fits; the oldest of several. Null if
  // there is none.
  const NamedDump* DumpOf(const NamedDump& record,
                          const RecordTarget& target) const;

 private:
  explicit OverflowFiles(Tree tree)
      : tree_(std::move(tree)), mappings_(tree_.root, tree_.files) {}
  void Sort(std::string_view only);

  Tree tree_;
  Mappings mappings_;  // the names point into it, or into the tree
  std::vector<NamedDump> records_;
  // By folder and task, the oldest first.
  std::map<std::pair<std::string_view, int64_t>, std::vector<NamedDump>> dumps_;
};

}  // namespace assay
