#include "sources/dump_info.h"

#include <functional>

#include "base/json_file.h"

namespace assay {
namespace {

using enum JsonKind;

class Reader {
 public:
  Reader(std::string_view json, const std::string& path) : scan_(json, path) {}

  Result<DumpInfo> Read() {
    RETURN_IF_ERROR(Members([&](const std::string& key) -> Status {
      if (key == "meta_info") return ReadMeta();
      if (key == "assay") return ReadAssay();
      if (key == "input_info") return Items([&] { return ReadInput(); });
      if (key == "node_output_info") return Items([&] { return ReadTap(); });
      return Pass();
    }));
    const JsonToken end = scan_.Next();
    if (end.kind != kEnd) return scan_.Wrong(end, "something after the end");
    return std::move(info_);
  }

 private:
  Status Pass() {
    scan_.SkipValue();
    return scan_.ok() ? Status(Done{}) : scan_.error();
  }

  // Calls `use` behind each key of the object that comes next.
  Status Members(const std::function<Status(const std::string&)>& use) {
    const JsonToken begin = scan_.Next();
    if (begin.kind != kBeginObject) {
      return scan_.Wrong(begin, "an object is wanted");
    }
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      RETURN_IF_ERROR(use(key.Text()));
    }
    return key.kind == kEndObject ? Status(Done{}) : scan_.error();
  }

  // Calls `use` for each object of the list that comes next.
  Status Items(const std::function<Status()>& use) {
    const JsonToken begin = scan_.Next();
    if (begin.kind != kBeginArray)
      return scan_.Wrong(begin, "a list is wanted");
    for (;;) {
      // An object is read with its brace: look ahead by a copy.
      JsonScanner ahead = scan_;
      const JsonToken token = ahead.Next();
      if (token.kind == kEndArray) {
        scan_ = ahead;
        return Done{};
      }
      RETURN_IF_ERROR(use());
    }
  }

  Status ReadText(std::string& out) {
    const JsonToken token = scan_.Next();
    if (token.kind == kString) {
      out = token.Text();
    } else {
      scan_.Skip(token);
    }
    return scan_.ok() ? Status(Done{}) : scan_.error();
  }

  template <typename T>
  Status ReadNumber(T& out) {
    const JsonToken token = scan_.Next();
    if (const auto whole = token.Integer(); token.kind == kNumber && whole) {
      out = static_cast<T>(*whole);
    } else if (const auto real = token.Real(); token.kind == kNumber && real) {
      if constexpr (std::is_floating_point_v<T>) out = *real;
    } else {
      scan_.Skip(token);
    }
    return scan_.ok() ? Status(Done{}) : scan_.error();
  }

  Status ReadShape(Shape& shape) {
    const JsonToken begin = scan_.Next();
    if (begin.kind != kBeginArray) {
      scan_.Skip(begin);
      return scan_.ok() ? Status(Done{}) : scan_.error();
    }
    JsonToken size = scan_.Next();
    for (; size.kind == kNumber; size = scan_.Next()) {
      shape.push_back(size.Integer().value_or(-1));
    }
    if (size.kind == kEndArray) return Done{};
    return scan_.Wrong(size, "a shape has numbers");
  }

  Status ReadMeta() {
    return Members([&](const std::string& key) {
      return key == "executor" ? ReadText(info_.executor) : Pass();
    });
  }

  Status ReadAssay() {
    return Members([&](const std::string& key) -> Status {
      if (key != "model") return Pass();
      return Members([&](const std::string& inner) {
        return inner == "path" ? ReadText(info_.model) : Pass();
      });
    });
  }

  Status ReadInput() {
    EarlierInput& input = info_.inputs.emplace_back();
    return Members([&](const std::string& key) -> Status {
      if (key == "input_name") return ReadText(input.name);
      if (key == "seed") return ReadNumber(input.seed);
      if (key == "low") return ReadNumber(input.low);
      if (key == "high") return ReadNumber(input.high);
      if (key == "use_external") {
        const JsonToken token = scan_.Next();
        input.external = token.kind == kTrue;
        scan_.Skip(token);
        return scan_.ok() ? Status(Done{}) : scan_.error();
      }
      if (key != "tensor_info") return Pass();
      return Members([&](const std::string& inner) {
        return inner == "shape" ? ReadShape(input.shape) : Pass();
      });
    });
  }

  Status ReadTap() {
    DumpedTap& tap = info_.taps.emplace_back();
    return Members([&](const std::string& key) -> Status {
      if (key == "node_output_name") return ReadText(tap.name);
      if (key == "node_name") return ReadText(tap.node);
      if (key == "node_type") return ReadText(tap.type);
      if (key == "file") return ReadText(tap.file);
      if (key == "tensor") return ReadText(tap.tensor);
      if (key == "error") return ReadText(tap.error);
      if (key == "index") return ReadNumber(tap.index);
      return Pass();
    });
  }

  JsonScanner scan_;
  DumpInfo info_;
};

}  // namespace

Result<DumpInfo> ParseDumpInfo(std::string_view json, const std::string& path) {
  return Reader(json, path).Read();
}

Result<DumpInfo> ReadDumpInfo(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  return ParseDumpInfo(text, path);
}

}  // namespace assay
