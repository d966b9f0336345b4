#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/graph.h"
#include "core/names.h"
#include "core/stored_view.h"
#include "core/tensor.h"

namespace assay {

enum class Port : uint8_t { kNone, kInput, kOutput };
enum class Phase : uint8_t { kForward, kBackward };
enum class OrderFrom : uint8_t { kNone, kGraph, kIndex, kTimestamp };

std::string_view Name(Port port);  // "" for kNone
std::string_view Name(Phase phase);
std::string_view Name(OrderFrom from);

// Whose tensor it is. -1 stands for "not known".
struct TensorId {
  NameId op = kNoName;
  NameId type = kNoName;
  NameId graph = kNoName;
  Port port = Port::kNone;
  Phase phase = Phase::kForward;
  OrderFrom order_from = OrderFrom::kNone;
  int32_t index = -1;
  int32_t rank = -1;
  int32_t step = -1;
  int32_t call = 0;
  int64_t order = -1;
};

// A tensor that several files hold together: slices of one axis.
struct Join {
  struct Part {
    uint32_t file = 0;
    StoredTensor stored;
  };
  size_t axis = 0;
  std::vector<Part> parts;  // in the order of the axis, all of one type
};

struct TensorInfo {
  TensorId id;
  NameId name = kNoName;  // how rows and users call it
  uint32_t file = 0;      // index into Dump::files
  StoredTensor stored;    // of a join: the whole, without an extent
  std::shared_ptr<const Join> join;

  const ErrorRef& error() const { return stored.error; }  // could not be read
};

// Something seen while opening that is not a tensor.
struct DumpNote {
  std::string file;  // relative to the root
  std::string text;
  bool lost = false;  // it may hold tensors that nobody heard of
};

// An opened source: a flat table of tensors. It holds no open file, no
// mapping, no data.
struct Dump {
  std::string source;  // as the user wrote it
  std::string root;    // directory that `files` are relative to
  std::string kind;    // name of the source kind: "plain"
  std::string why;     // why it was recognised as that
  // The user named a file, not a folder.
  bool one_file = false;
  std::vector<std::string> files;
  std::vector<int64_t> times;  // of the files, by their names; empty: unknown
  std::vector<TensorInfo> tensors;
  std::vector<DumpNote> notes;
  NamePool names;
  std::vector<std::string> graph_files;  // paths of those found beside it
  // Those that belong to it, once chosen, and the one of each model's folder.
  std::vector<std::shared_ptr<const Graph>> graphs;
  std::map<NameId, std::shared_ptr<const Graph>> graph_of;

  const Graph* GraphOfKind(std::string_view wanted) const;  // null: none
  std::string_view NameOf(const TensorInfo& t) const { return names[t.name]; }
  // Names repeat over ranks and steps: "conv1:output:0 rank 1 step 3".
  std::string PlacedName(const TensorInfo& t) const;
  std::string PathOf(const TensorInfo& t) const { return PathOf(t.file); }
  std::string PathOf(uint32_t file) const;
  // When it was dumped; -1: not known. A graph gives tensors another order.
  int64_t TimeOf(const TensorInfo& t) const;
  // The tensor as it is stored; a join as a whole.
  StoredView ViewOf(const TensorInfo& t) const;
};

}  // namespace assay
