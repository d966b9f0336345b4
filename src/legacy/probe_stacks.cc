#include "legacy/probe_stacks.h"

#include <filesystem>
#include <vector>

#include "base/json_file.h"

namespace assay {
namespace {

using enum JsonKind;

// repr() of a Python text; control characters other than these do not occur.
std::string Repr(const std::string& text) {
  const bool has_single = text.find('\'') != text.npos;
  const bool has_double = text.find('"') != text.npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\n' || c == '\t' || c == '\r') {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
      continue;
    }
    if (c == quote || c == '\\') out += '\\';
    out += c;
  }
  return out + quote;
}

// The strings of a list whose first token was taken.
std::vector<std::string> Texts(JsonScanner& scan) {
  std::vector<std::string> texts;
  for (JsonToken item = scan.Next();
       item.kind != kEndArray && item.kind != kError; item = scan.Next()) {
    if (item.kind == kString) texts.push_back(item.Text());
    scan.Skip(item);
  }
  return texts;
}

std::string ListText(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += (text.empty() ? "" : ", ") + Repr(line);
  }
  return "[" + text + "]";
}

using Stacks = std::map<std::string, std::string>;

void ReadEntry(const std::string& key, JsonScanner& scan, Stacks& stacks) {
  const JsonToken first = scan.Next();
  if (first.kind != kBeginArray) {  // older: the lines themselves
    std::vector<std::string> lines;
    if (first.kind == kString) {
      lines = Texts(scan);
      lines.insert(lines.begin(), first.Text());
    }
    stacks[key] = ListText(lines);
    return;
  }
  const std::vector<std::string> apis = Texts(scan);
  const JsonToken second = scan.Next();
  if (second.kind != kBeginArray) return;
  const std::string text = ListText(Texts(scan));
  for (const std::string& api : apis) stacks[api] = text;
  scan.Next();  // the end of the entry
}

Status Read(const std::string& path, Stacks& stacks) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const JsonFile json, JsonFile::Map(file));
  JsonScanner scan = json.Scan();
  if (scan.Next().kind != kBeginObject) return scan.error();
  for (JsonToken key = scan.Next(); key.kind == kKey; key = scan.Next()) {
    if (const JsonToken value = scan.Next(); value.kind != kBeginArray) {
      scan.Skip(value);
    } else {
      ReadEntry(key.Text(), scan, stacks);
    }
  }
  return json.Intact();
}

}  // namespace

ProbeStacks ProbeStacks::Beside(const std::string& dump) {
  ProbeStacks out;
  const auto path = std::filesystem::path(dump).parent_path() / "stack.json";
  if (!std::filesystem::is_regular_file(path)) return out;
  out.found_ = Read(path.string(), out.stacks_).ok();
  return out;
}

std::string ProbeStacks::At(const std::string& api) const {
  const auto found = stacks_.find(api);
  return found == stacks_.end() ? "N/A" : found->second;
}

}  // namespace assay
