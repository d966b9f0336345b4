#pragma once

#include <map>
#include <optional>

#include "core/dump.h"
#include "legacy/msaccucmp_log.h"

namespace assay {

// A tensor of PyTorch's dump hooks, with the numbers the hooks gave it.
struct HookDataset {
  std::string path;  // "/Addmm/4/output/result"
  const TensorInfo* tensor = nullptr;
  std::optional<int64_t> type, device;  // DataType, DeviceType
  bool has_stride = false;
};

// One execution of an operator.
struct HookCall {
  std::string op;
  int64_t number = 0;  // executions of the operator before this one
  int64_t order = 0;   // among all operators of the file
  std::vector<HookDataset> datasets;

  std::string Name() const;  // "Addmm:0"
};

// An HDF5 file of the hooks: /OPERATOR/ORDER/input|output/NAME.
struct HookFile {
  static OldResult<HookFile> Open(const std::string& path);

  Dump dump;
  std::vector<HookCall> calls;  // by operator, then by order
  bool has_inputs = false;
  std::optional<int64_t> device;  // of the first tensor that is not on a CPU

  // Who was run on loaded inputs compares outputs only.
  void DropInputs();
  // A call with tensors; null: there is none.
  const HookCall* Find(const std::string& name) const;
  const HookDataset* FindDataset(const std::string& path) const;
  // Of a call, with tensors or without; behind all others if there is none.
  int64_t OrderOf(const std::string& name) const;
  int64_t Behind() const;

 private:
  void Index();

  std::map<std::string, size_t> by_name_;
  std::map<std::string, std::pair<size_t, size_t>> by_path_;
};

}  // namespace assay
