#include "graphs/fusion_result.h"

#include <algorithm>

#include "base/input_file.h"
#include "base/json_file.h"

namespace assay {
namespace {

using enum JsonKind;

constexpr std::string_view kId = "session_and_graph_id";
constexpr std::string_view kIdPrefix = "session_and_graph_id_";

// The text up to the brace that closes its first object; all of it if none
// does.
std::string_view FirstObject(std::string_view text) {
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{') ++depth;
    if (c == '}' && depth > 0 && --depth == 0) return text.substr(0, i + 1);
  }
  return text;
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Reads one of the objects.
class ObjectReader {
 public:
  ObjectReader(std::string_view json, std::string_view path)
      : scan_(json, path) {}

  Status Read(std::vector<GraphFusions>& out) {
    const JsonToken first = scan_.Next();
    if (first.kind != kBeginObject) {
      return scan_.Wrong(first, "no fusion result: an object is wanted here");
    }
    GraphFusions own;
    bool is_own = false;
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      if (key.text.starts_with(kIdPrefix)) {
        RETURN_IF_ERROR(ReadKeyed(key, out));
        continue;
      }
      ASSIGN_OR_RETURN(const bool known, ReadMember(key, own));
      is_own = is_own || known;
    }
    if (key.kind != kEndObject) return scan_.error();
    if (is_own) out.push_back(std::move(own));
    return Done{};
  }

 private:
  Status ReadKeyed(const JsonToken& name, std::vector<GraphFusions>& out) {
    GraphFusions graph{.graph = name.Text().substr(kIdPrefix.size())};
    const JsonToken first = scan_.Next();
    if (first.kind != kBeginObject) {
      return scan_.Wrong(first, "a graph's passes are no object");
    }
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      RETURN_IF_ERROR(ReadMember(key, graph));
    }
    if (key.kind != kEndObject) return scan_.error();
    out.push_back(std::move(graph));
    return Done{};
  }

  // Whether the member is one that a fusion result has.
  Result<bool> ReadMember(const JsonToken& key, GraphFusions& graph) {
    if (key.text == "graph_fusion") {
      RETURN_IF_ERROR(ReadPasses(graph.graph_passes));
    } else if (key.text == "ub_fusion") {
      RETURN_IF_ERROR(ReadPasses(graph.ub_passes));
    } else if (key.text == kId || key.text == "graphId") {
      const JsonToken id = scan_.Next();
      if (id.kind != kString && id.kind != kNumber) {
        return scan_.Wrong(id, "the graph's number is no text");
      }
      graph.graph = id.kind == kString ? id.Text() : std::string(id.text);
    } else {
      scan_.SkipValue();
      return false;
    }
    return true;
  }

  Status ReadPasses(std::vector<FusionPass>& passes) {
    const JsonToken first = scan_.Next();
    if (first.kind == kNull) return Done{};
    if (first.kind != kBeginObject) {
      return scan_.Wrong(first, "the passes are no object");
    }
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      passes.push_back({.name = key.Text()});
      RETURN_IF_ERROR(ReadPass(passes.back()));
    }
    if (key.kind != kEndObject) return scan_.error();
    return Done{};
  }

  Status ReadPass(FusionPass& pass) {
    const JsonToken first = scan_.Next();
    if (first.kind != kBeginObject) {
      return scan_.Wrong(first, "the counts of a pass are no object");
    }
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      if (key.text == "effect_times") {
        ASSIGN_OR_RETURN(pass.effects, ReadCount());
      } else if (key.text == "match_times") {
        ASSIGN_OR_RETURN(pass.matches, ReadCount());
      } else if (key.text == "repository_hit_times") {
        ASSIGN_OR_RETURN(pass.repository_hits, ReadCount());
      } else {
        scan_.SkipValue();
      }
    }
    if (key.kind != kEndObject) return scan_.error();
    return Done{};
  }

  // Counts are written as strings.
  Result<int64_t> ReadCount() {
    JsonToken token = scan_.Next();
    const bool text = token.kind == kString;
    if (text) token.kind = kNumber;
    const auto count = token.Integer();
    if (!count || *count < 0) return scan_.Wrong(token, "this is no count");
    return *count;
  }

  JsonScanner scan_;
};

// An error of a piece that begins at `base`, as one of the whole text.
Error Moved(Error error, std::string_view text, size_t base) {
  if (error.offset) *error.offset += base;
  if (error.line) {
    *error.line += static_cast<uint64_t>(
        std::count(text.begin(), text.begin() + static_cast<long>(base), '\n'));
  }
  return error;
}

Status ReadAll(std::string_view text, std::string_view path,
               std::vector<GraphFusions>& out) {
  for (size_t at = 0; !IsBlank(text.substr(at));) {
    const std::string_view piece = FirstObject(text.substr(at));
    const Status status = ObjectReader(piece, path).Read(out);
    if (!status) return Moved(status.error(), text, at);
    at += piece.size();
  }
  return Done{};
}

}  // namespace

bool IsFusionResult(std::string_view file_name, std::string_view head) {
  if (file_name.starts_with("fusion_result")) return true;
  JsonScanner scan(head);
  if (scan.Next().kind != kBeginObject) return false;
  const JsonToken key = scan.Next();
  return key.kind == kKey &&
         (key.text.starts_with(kId) || key.text == "graphId" ||
          key.text == "graph_fusion" || key.text == "ub_fusion");
}

Result<std::vector<GraphFusions>> ReadFusionResult(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const JsonFile json, JsonFile::Map(file));
  std::vector<GraphFusions> out;
  const Status read = ReadAll(json.text(), path, out);
  RETURN_IF_ERROR(json.Intact());
  RETURN_IF_ERROR(read);
  if (out.empty()) {
    return Corrupt("no fusion result in it")
        .At(path, 0)
        .Hint("graph_fusion and ub_fusion of a graph are wanted");
  }
  return out;
}

}  // namespace assay
