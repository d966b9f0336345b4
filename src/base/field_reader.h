#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

enum class FieldKind : uint8_t {
  kBegin,   // of a message
  kEnd,     // of the innermost open one; of the outermost comes kDone
  kString,  // text or bytes
  kNumber,
  kWord,   // true, false, the name of an enum value
  kNull,   // JSON only: null, or a list without entries, whose text is "[]"
  kDone,   // after the last field
  kError,  // and nothing else after it
};

// How the text of a string is to be understood.
enum class FieldForm : uint8_t {
  kPlain,   // as it stands
  kJson,    // has escapes of JSON
  kC,       // has escapes of C
  kCParts,  // from the first quote to the last of adjoining C strings
  kSigned,  // a number without text: Field::bits
  kUnsigned,
  kFloat,  // 32 bits wide when it was written
  kDouble,
};

// One field of a protobuf message, whatever the file's encoding. The views
// point into the file's text.
struct Field {
  FieldKind kind = FieldKind::kError;
  FieldForm form = FieldForm::kPlain;
  uint64_t at = 0;        // its first byte
  std::string_view name;  // of the field; nothing at kEnd and kDone
  std::string_view text;  // of a string, number or word, as it stands
  uint64_t bits = 0;      // of a number that has no text

  bool IsScalar() const {
    return kind == FieldKind::kString || kind == FieldKind::kNumber ||
           kind == FieldKind::kWord;
  }
  // What is meant, numbers in decimal. `scratch` is used if the file has it in
  // other words; the view is valid as long as the file's text and `scratch`.
  std::string_view View(std::string& scratch) const {
    return form == FieldForm::kPlain ? text : Reworded(scratch);
  }
  std::string Text() const;
  // Also of a string that holds a number. Nothing if it does not fit.
  std::optional<int64_t> Integer() const;
  std::optional<double> Real() const;
  // true, True, t, 1 and their opposites.
  std::optional<bool> Truth() const;

 private:
  std::string_view Reworded(std::string& scratch) const;
};

// What C escapes mean: \n \t \" \\ \ooo \xhh ...; other text stays.
std::string UnescapeC(std::string_view text);

// One field after another of a message in memory: `op { } op { }` of the text
// form, `"op":[{},{}]` of JSON and the binary form give the same fields. The
// entries of lists are fields of the list's name. Nothing is copied.
//
//   for (Field f = in.Next(); f.kind == FieldKind::kBegin ...; f = in.Next())
//     if (f.name == "op") ReadOp(in); else in.Skip(f);
class FieldReader {
 public:
  static constexpr size_t kDeepest = 1024;  // open messages

  virtual ~FieldReader() = default;
  virtual Field Next() = 0;
  // Passes over what `first` begins; nothing to do for scalars.
  virtual void Skip(const Field& first);
  // After kError: what is wrong, with byte, and line if it is text.
  virtual Error error() const = 0;
  // A field that is well-formed and not what is needed there; error() if it
  // is the one that tells of it.
  Error Wrong(const Field& field, std::string_view what) const;

 protected:
  // Adds path, byte and line.
  virtual Error Place(Error error, uint64_t at) const = 0;
};

// The outermost value must be an object. `path` is for errors; it and the text
// must outlive the reader.
std::unique_ptr<FieldReader> ReadJsonFields(std::string_view json,
                                            std::string_view path);
// Protobuf text format.
std::unique_ptr<FieldReader> ReadTextFields(std::string_view text,
                                            std::string_view path);

// The same fields, read by a thread of its own while the caller uses those
// before: for large files, where both take long. `file` is the text that `in`
// reads.
std::unique_ptr<FieldReader> ReadFieldsAhead(std::unique_ptr<FieldReader> in,
                                             std::string_view file);

// Names for the numbers of the binary form. Fields that a schema does not
// list are passed over.
//
//   extern const Schema kNode;
//   constexpr SchemaField kGraphFields[] = {
//       {1, "node", SchemaKind::kMessage, &kNode}, {2, "name"}};
//   const Schema kGraph = {kGraphFields};
//
// map<string, X> is a message with 1 "key" and 2 "value". Packed and unpacked
// numbers are both understood.
enum class SchemaKind : uint8_t {
  kText,  // string or bytes
  kMessage,
  kSigned,    // int32, int64
  kUnsigned,  // uint32, uint64
  kZigZag,    // sint32, sint64
  kBool,      // gives the words true and false
  kEnum,      // gives the word, if `words` has it
  kFloat,
  kDouble,
  kFixed32,
  kFixed64,
};

struct Schema;

struct SchemaField {
  uint32_t number = 0;
  std::string_view name;
  SchemaKind kind = SchemaKind::kText;
  const Schema* message = nullptr;
  std::span<const std::string_view> words = {};  // by value
  bool single = false;  // a number that never comes packed
};

struct Schema {
  std::span<const SchemaField> fields;  // ascending numbers
};

// `base` is where bytes[0] stands in the file.
std::unique_ptr<FieldReader> ReadWireFields(std::string_view bytes,
                                            const Schema& root,
                                            std::string_view path,
                                            uint64_t base = 0);

}  // namespace assay
