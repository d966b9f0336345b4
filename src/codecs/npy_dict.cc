#include "codecs/npy_dict.h"

#include <cctype>
#include <charconv>
#include <optional>

namespace assay {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};

// Keeps the first error; after it nothing is read any more.
class DictReader {
 public:
  DictReader(std::string_view text, std::string_view path, uint64_t base)
      : text_(text), path_(path), base_(base) {}

  Result<NpyDict> Read() {
    Expect('{');
    while (!error_ && !Eat('}')) {
      Entry();
      if (!Eat(',') && Peek() != '}') Expected("',' or '}'");
    }
    if (!error_ && Peek() != '\0') Expected("nothing more");
    for (size_t i = 0; i < std::size(kKeys); ++i) {
      if (!seen_[i]) Fail(fmt::format("lacks '{}'", kKeys[i]));
    }
    if (error_) return *error_;
    return dict_;
  }

 private:
  void Entry() {
    const std::string_view key = Quoted();
    Expect(':');
    for (size_t i = 0; i < std::size(kKeys) && !error_; ++i) {
      if (key != kKeys[i]) continue;
      if (seen_[i]) return Fail(fmt::format("has '{}' twice", key));
      seen_[i] = true;
      return i == 0 ? Descr() : i == 1 ? Order() : Dims();
    }
    Fail(fmt::format("has an unknown key '{}'", key));
  }

  void Descr() {
    const char first = Peek();
    if (first == '[' || first == '(') {
      dict_.descr = Brackets();
    } else {
      dict_.descr = Quoted();
    }
  }

  void Order() {
    Peek();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!Rest().starts_with(word)) continue;
      at_ += word.size();
      dict_.fortran_order = value;
      return;
    }
    Expected("True or False");
  }

  void Dims() {
    Expect('(');
    while (!error_ && !Eat(')')) {
      dict_.shape.push_back(Number());
      if (!Eat(',') && Peek() != ')') Expected("',' or ')'");
    }
  }

  int64_t Number() {
    Peek();
    int64_t value = 0;
    const std::string_view rest = Rest();
    const auto [end, problem] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (problem == std::errc::result_out_of_range) {
      Fail("has a dimension that does not fit in 63 bits");
    } else if (problem != std::errc() || value < 0) {
      Expected("a dimension");
    }
    at_ += static_cast<size_t>(end - rest.data());
    if (Rest().starts_with('L')) ++at_;  // Python 2's long
    return value;
  }

  std::string_view Quoted() {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') {
      Expected("a quoted word");
      return {};
    }
    const size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size()) return Fail("has a word without end"), "";
    return text_.substr(begin, at_++ - begin);
  }

  // A list or tuple, up to the bracket that closes it.
  std::string_view Brackets() {
    const size_t begin = at_;
    size_t depth = 0;
    while (!error_) {
      const char c = Peek();
      if (c == '\0') Fail("has a list without end");
      if (c == '\'' || c == '"') {
        Quoted();
        continue;
      }
      ++at_;
      if (c == '[' || c == '(') ++depth;
      if ((c == ']' || c == ')') && --depth == 0) break;
    }
    return error_ ? "" : text_.substr(begin, at_ - begin);
  }

  // The next character that is no blank; 0 at the end or after an error.
  char Peek() {
    if (error_) return '\0';
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Eat(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Eat(c)) Expected(fmt::format("'{}'", c));
  }
  std::string_view Rest() const { return text_.substr(at_); }

  void Expected(std::string_view what) {
    const char c = Peek();
    Fail(c == '\0' ? fmt::format("ends where {} should be", what)
         : std::isprint(static_cast<unsigned char>(c))
             ? fmt::format("has '{}' where {} should be", c, what)
             : fmt::format("has byte 0x{:02x} where {} should be",
                           static_cast<unsigned char>(c), what));
  }
  void Fail(std::string_view what) {
    if (error_) return;
    error_ = Corrupt("the header {}", what)
                 .At(path_, base_ + at_)
                 .Hint("the header is damaged; write the array again");
  }

  std::string_view text_, path_;
  uint64_t base_;
  size_t at_ = 0;
  bool seen_[std::size(kKeys)] = {};
  NpyDict dict_;
  std::optional<Error> error_;
};

}  // namespace

Result<NpyDict> ParseNpyDict(std::string_view text, std::string_view path,
                             uint64_t base) {
  return DictReader(text, path, base).Read();
}

}  // namespace assay
