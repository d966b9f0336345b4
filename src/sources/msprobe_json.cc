// dump.json of msprobe:
//   {"task": ..., "level": ..., "framework": ..., "dump_data_dir": ...,
//    "data": {"Functional.linear.0.forward": {
//               "input_args": [VALUE, ...], "input_kwargs": {"KEY": VALUE},
//               "output": [VALUE, ...], "parameters": {"weight": VALUE}},
//             "Module.fc.Linear.parameters_grad.0": {"weight": [VALUE]},
//             "x.0.debug": VALUE}}
// VALUE is null, a list or an object of values, or tells its type:
//   {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 4],
//    "Max": ..., "Min": ..., "Mean": ..., "Norm": ..., "md5": "5e1b...",
//    "data_name": "Functional.linear.0.forward.input.0.pt"}
#include "sources/msprobe_json.h"

#include <cmath>
#include <utility>

#include "base/json_file.h"

namespace assay {
namespace {

using enum JsonKind;

// Where names end: the category of a file's name, by the key in the entry.
std::string_view Category(std::string_view key) {
  if (key == "input_args") return "input";
  if (key == "input_kwargs") return "kwargs";
  return key;
}

// true and false are the extremes of a bool tensor.
std::optional<double> Statistic(const JsonToken& value) {
  if (value.kind == kTrue) return 1;
  if (value.kind == kFalse) return 0;
  return value.Real();
}

// Of a tensor without dimensions msprobe writes the value itself as its norm.
std::optional<double> Norm(const JsonToken& value) {
  const std::optional<double> norm = Statistic(value);
  return norm ? std::optional(std::fabs(*norm)) : norm;
}

bool BeginsMore(const JsonToken& value) {
  return value.kind == kBeginObject || value.kind == kBeginArray;
}

class Reader {
 public:
  Reader(JsonScanner& scan, uint64_t size, MsprobeDump& dump)
      : scan_(scan), room_(4 * size), dump_(dump) {}

  Status Read() {
    if (const JsonToken first = scan_.Next(); first.kind != kBeginObject) {
      return scan_.Wrong(first, "no dump of msprobe");
    }
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      if (key.text == "data") {
        RETURN_IF_ERROR(Data(scan_.Next()));
      } else {
        scan_.SkipValue();
      }
    }
    scan_.Next();
    return scan_.ok() ? Status(Done{}) : scan_.error();
  }

 private:
  Status Data(const JsonToken& first) {
    if (first.kind != kBeginObject) {
      return scan_.Wrong(first, "'data' is no object");
    }
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      entry_ = key.Text();
      is_debug_ = entry_.ends_with(".debug");
      is_grad_ = entry_.find(".parameters_grad.") != std::string::npos;
      Value(scan_.Next(), 0);
      if (name_bytes_ > room_) {
        return scan_.Wrong(key, "the names are longer than the file");
      }
    }
    return scan_.ok() ? Status(Done{}) : scan_.error();
  }

  // The scanner bounds how deep this goes.
  void Value(const JsonToken& first, int level) {
    if (first.kind == kBeginObject) Object(level);
    if (first.kind != kBeginArray) return;
    JsonToken item = scan_.Next();
    for (size_t i = 0; item.kind != kEndArray && item.kind != kError; ++i) {
      if (is_grad_) {
        Value(item, level + 1);
      } else {
        Inside(std::to_string(i), item, level);
      }
      item = scan_.Next();
    }
  }

  // A value that is called by its place in another one.
  void Inside(std::string_view part, const JsonToken& value, int level) {
    const size_t before = place_.size();
    if (before > 0) place_ += '.';
    place_ += part;
    Value(value, level + 1);
    place_.resize(before);
  }

  void Object(int level) {
    MsprobeTensor tensor;
    bool typed = false, wrapped = false, shaped = false;
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      const JsonToken value = scan_.Next();
      if (!BeginsMore(value)) {
        typed |= key.text == "type" && value.kind == kString;
        wrapped |= key.text == "class_type" && value.kind == kString;
        Field(key.text, value, tensor);
      } else if (typed && key.text == "shape" && value.kind == kBeginArray) {
        ReadShape(tensor);
        shaped = true;
      } else if (wrapped && key.text == "tensor") {
        Value(value, level + 1);
      } else if (typed || wrapped) {
        scan_.Skip(value);
      } else {
        Inside(Part(key, level), value, level);
      }
    }
    if (typed && shaped && !tensor.dtype.empty()) {
      Add(std::move(tensor));
    } else if (typed) {
      ++dump_.others;
    }
  }

  std::string Part(const JsonToken& key, int level) const {
    if (level > 0 || is_debug_) return key.Text();
    return std::string(Category(key.text));
  }

  static void Field(std::string_view key, const JsonToken& value,
                    MsprobeTensor& tensor) {
    TensorSummary& summary = tensor.summary;
    if (key == "Max") summary.max = Statistic(value);
    if (key == "Min") summary.min = Statistic(value);
    if (key == "Mean") summary.mean = Statistic(value);
    if (key == "Norm") summary.l2 = Norm(value);
    const bool is_bool = value.kind == kTrue || value.kind == kFalse;
    if (key == "requires_grad" && is_bool) {
      tensor.requires_grad = value.kind == kTrue;
    }
    if (value.kind != kString) return;
    if (key == "dtype") tensor.dtype = value.Text();
    if (key == "md5") summary.hash = value.Text();
    if (key == "data_name") tensor.data_name = value.Text();
  }

  // A dimension of a nested tensor can be a name.
  void ReadShape(MsprobeTensor& tensor) {
    for (;;) {
      const JsonToken dim = scan_.Next();
      if (dim.kind == kEndArray || dim.kind == kError) break;
      scan_.Skip(dim);
      const auto size = dim.Integer();
      if (!size || *size < 0) tensor.summary.shape_known = false;
      tensor.shape.push_back(size.value_or(0));
    }
    if (!ElementCount(tensor.shape)) tensor.summary.shape_known = false;
    if (!tensor.summary.shape_known) tensor.shape.clear();
  }

  void Add(MsprobeTensor tensor) {
    name_bytes_ += entry_.size() + place_.size();
    if (name_bytes_ > room_) return;
    tensor.entry = entry_;
    tensor.place = place_;
    dump_.tensors.push_back(std::move(tensor));
  }

  JsonScanner& scan_;
  const uint64_t room_;  // names of a real dump take less than all of it
  MsprobeDump& dump_;
  std::string entry_, place_;
  bool is_debug_ = false, is_grad_ = false;
  uint64_t name_bytes_ = 0;
};

Status ReadFile(const std::string& path, MsprobeDump& dump) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const JsonFile json, JsonFile::Map(file));
  JsonScanner scan = json.Scan();
  Status read = Reader(scan, file.size(), dump).Read();
  RETURN_IF_ERROR(json.Intact());
  return read;
}

}  // namespace

bool LooksLikeMsprobe(std::string_view head) {
  JsonScanner scan(head);
  bool task = false;
  if (scan.Next().kind != kBeginObject) return false;
  for (JsonToken key = scan.Next(); key.kind == kKey; key = scan.Next()) {
    if (key.text == "data") return task;
    if (key.text == "task") task = true;
    scan.SkipValue();
  }
  return false;
}

MsprobeDump ReadMsprobe(const std::string& path) {
  MsprobeDump dump;
  if (Status status = ReadFile(path, dump); !status) {
    dump.error = std::move(status).error();
  }
  return dump;
}

}  // namespace assay
