#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_reader.h"
#include "core/names.h"
#include "graphs/name_cache.h"

namespace assay {

// One attribute on its way from a file into a Graph. One object is read into
// again and again, so that its buffers are made once.
struct GeAttr {
  enum class Kind : uint8_t {
    kNothing,  // no value, or an empty one
    kText,
    kInteger,
    kOther,  // a real number, a truth value, a message
    kList,
  };

  std::string_view key;
  Kind kind = Kind::kNothing;
  std::string_view text;   // the whole value, as core/graph.h words it
  NameId value = kNoName;  // the same in the graph, once it is there
  int64_t integer = 0;
  // Of a list: its strings or its integers. `other`: it has more than those.
  std::vector<NameId> strings;
  std::vector<int64_t> integers;
  bool other = false;

  void Clear();
  // Words `text` anew after a change of `strings` or `integers`.
  void WordList(const NamePool& names);

  std::string key_store, text_store;
};

// Reads what is between { and } of an attribute. `c_escapes`: the strings have
// C escapes beside those of the file.
class GeAttrReader {
 public:
  GeAttrReader(FieldReader& in, NameCache& names, bool c_escapes)
      : in_(in), names_(names), c_escapes_(c_escapes) {}

  bool Read(GeAttr& attr);
  // After false: what is wrong.
  Error error() const { return in_.Wrong(wrong_, what_); }

 private:
  bool Stop(const Field& field, std::string_view what);
  bool Value(GeAttr& attr);
  bool OneOf(const Field& field, GeAttr& attr);
  bool String(const Field& field, GeAttr& attr);
  bool Integer(const Field& field, GeAttr& attr);
  bool Scalar(const Field& field, GeAttr& attr);
  bool List(GeAttr& attr);
  bool ListEntry(const Field& field, GeAttr& attr);
  bool ListOfLists(GeAttr& attr);
  // Appends {name:x,dim:1,dim:8} to the text.
  bool Message(GeAttr& attr);
  void Append(const Field& field, GeAttr& attr);

  FieldReader& in_;
  NameCache& names_;
  bool c_escapes_;
  Field wrong_;
  std::string_view what_;
  std::string scratch_;
};

}  // namespace assay
