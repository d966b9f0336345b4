#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

// Opcodes of pickle protocol 2, as Python writes them.
namespace assay::pkl {

inline const std::string kProto2 = "\x80\x02";

template <typename T>
std::string Le(T value) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(T); ++i) {
    bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xff);
  }
  return bytes;
}

inline std::string Int(int64_t value) { return "\x8a\x08" + Le(value); }
inline std::string Text(const std::string& text) {
  return "X" + Le(static_cast<uint32_t>(text.size())) + text;
}
inline std::string Global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string Tuple(const std::vector<int64_t>& values) {
  std::string items;
  for (const int64_t value : values) items += Int(value);
  return "(" + items + "t";
}

inline const std::string kOrdered = Global("collections", "OrderedDict") + ")R";

// A storage of torch: what a persistent id says of it.
struct Storage {
  std::string type = "FloatStorage";
  std::string key = "0";
  int64_t numel = 6;
  std::string module = "torch";

  operator std::string() const {
    return "(" + Text("storage") + Global(module, type) + Text(key) +
           Text("cpu") + Int(numel) + "tQ";
  }
};

struct Tensor {
  std::vector<int64_t> size = {2, 3};
  std::vector<int64_t> strides = {3, 1};
  int64_t offset = 0;
  std::string storage = Storage();
  std::string tail = {};  // more arguments
  std::string function = "_rebuild_tensor_v2";

  operator std::string() const {
    return Global("torch._utils", function) + "(" + storage + Int(offset) +
           Tuple(size) + Tuple(strides) + "\x89" + kOrdered + tail + "tR";
  }
};

// The value as a whole pickle.
inline std::string Whole(const std::string& value) {
  return kProto2 + value + ".";
}

}  // namespace assay::pkl
