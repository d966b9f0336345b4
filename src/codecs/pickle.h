#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// A name of a Python module that a pickle may mention, and what it may do with
// it. Every other name is refused.
struct PickleGlobal {
  enum class Use : uint8_t {
    kRefuse,   // known, and refused with a hint of its own
    kMention,  // as a value: a type
    kCall,     // with arguments
    kFill,     // called, then given items and attributes: a kind of dict
  };
  std::string_view name;  // "torch.storage.UntypedStorage"
  Use use = Use::kRefuse;
  std::string_view hint = {};
};

// What a pickle says, as data. Nothing is imported, looked up or run: a call
// stays the name of a function and its arguments.
struct PickleValue {
  enum class Kind : uint8_t {
    kNothing,  // of the reader: nothing stands here
    kNone,
    kBool,   // number
    kInt,    // number
    kHuge,   // an integer of more than 64 bits; its value is not kept
    kFloat,  // number holds its bits
    kText,
    kBytes,
    kGlobal,  // number counts in the list of allowed names
    kList,    // from here on: a node
    kTuple,
    kDict,  // key, value, key, value ...
    kSet,
    kCall,    // the arguments (a tuple), then key, value ... that were set
    kForeign  // a persistent id: one value that stands for an object elsewhere
  };
  Kind kind = Kind::kNothing;
  uint32_t length = 0;  // kText, kBytes
  int64_t number = 0;   // kText, kBytes: where it begins; nodes: which one

  bool is_node() const { return kind >= Kind::kList; }
};

struct PickleLimits {
  uint64_t values = uint64_t{1} << 21;  // in all; one costs some 100 bytes
};

// One pickle, protocol 2 to 5. It refers to the bytes it was read from.
class Pickle {
 public:
  struct Node {
    int64_t global = -1;  // kCall: the function, as in kGlobal
    std::vector<PickleValue> items;
  };

  // An error gives the byte of the pickle, and no file.
  static Result<Pickle> Read(std::string_view bytes,
                             std::span<const PickleGlobal> allowed,
                             const PickleLimits& limits = {});

  const PickleValue& root() const { return root_; }
  // Of kText and kBytes; empty for all others.
  std::string_view Text(const PickleValue& value) const;
  // Of nodes; empty for all others.
  std::span<const PickleValue> Items(const PickleValue& value) const;
  // What a kCall calls, or a kGlobal is; -1 for all others.
  int64_t GlobalOf(const PickleValue& value) const;

 private:
  std::string_view bytes_;
  std::vector<Node> nodes_;
  PickleValue root_;
};

}  // namespace assay
