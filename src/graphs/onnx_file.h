#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"
#include "graphs/onnx_model.h"
#include "graphs/whole_file.h"

namespace assay::onnx {

// A tensor that can be dumped: an output of a node of the main graph.
struct Tap {
  NameId name = kNoName;
  uint32_t node = 0;   // into Part::nodes
  uint32_t index = 0;  // which output of it
};

// An ONNX model that can be cut and marked. The bytes that stay are the
// file's own, so what this program does not know is preserved.
class OnnxFile {
 public:
  // Checks that the nodes can be ordered, and that external data lies beside
  // the file and is long enough.
  static Result<OnnxFile> Open(const std::string& path);

  const std::string& path() const { return file_->path(); }
  std::string_view bytes() const { return whole_->bytes(); }
  const Model& model() const { return model_; }
  const Part& graph() const { return model_.parts[0]; }
  std::string_view Text(NameId id) const { return model_.names[id]; }
  const std::vector<uint32_t>& order() const { return order_; }
  // Every output of every node that is no Constant, in the order of running.
  const std::vector<Tap>& taps() const { return taps_; }
  // The inputs that must be given: those without an initializer.
  std::vector<const Value*> Inputs() const;
  // What the file tells of the type and shape of an input, an output or a
  // tensor between; null: nothing.
  const Value* Known(NameId tensor) const;
  // The node of the main graph that makes a tensor; null: none.
  const Node* MakerOf(NameId tensor) const;
  // The files with values, relative to the model's folder, each once.
  std::vector<std::string> ExternalFiles() const;
  // Nothing of the file was lost while it was read.
  Status Intact() const { return whole_->Intact(*file_); }

 private:
  OnnxFile() = default;
  Status CheckExternal() const;
  Status CheckExternal(const Part& part, const Value& value, NameId name) const;
  void NumberTaps();
  void NoteValues();

  // Shared: the object can be copied and moved, the bytes stay.
  std::shared_ptr<const InputFile> file_;
  std::shared_ptr<const WholeFile> whole_;
  Model model_;
  std::vector<uint32_t> order_;
  std::vector<Tap> taps_;
  std::unordered_map<NameId, uint32_t> makers_;
  // Which of the graph's lists tells of a tensor, and where in it.
  struct Place {
    const std::vector<Value> Part::*list;
    uint32_t number;
  };
  std::unordered_map<NameId, Place> known_;
};

}  // namespace assay::onnx
