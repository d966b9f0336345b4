#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace assay {

enum class ErrorCode : uint8_t {
  kUsage,        // the command line asks for something we cannot do
  kNotFound,     // no such file, tensor, name
  kCorrupt,      // bytes that cannot be what they claim to be
  kUnsupported,  // understood, and not handled
  kTooLarge,     // would need more memory than allowed
  kIo,           // the system refused
  kInterrupted,  // Ctrl-C
  kInternal,     // a bug, or a library's exception
};

std::string_view Name(ErrorCode code);

// The only failure channel: what happened, where, and what to do about it.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string what;
  std::string file;                // empty: not about a file
  std::optional<uint64_t> offset;  // byte in `file`
  std::optional<uint64_t> line;    // line in `file`, from 1
  std::string tensor;              // empty: the whole file
  std::string hint;

  Error&& At(std::string_view path) &&;
  Error&& At(std::string_view path, uint64_t byte) &&;
  Error&& AtLine(std::string_view path, uint64_t number) &&;
  Error&& Of(std::string_view tensor_name) &&;
  Error&& Hint(std::string_view text) &&;

  // "target/conv1.npy (byte 80), tensor w"; empty when nothing is known.
  std::string Where() const;
  // The three parts, as the terminal shows them.
  std::string Text() const;
};

// An error that many hold, most of them none.
using ErrorRef = std::shared_ptr<const Error>;

template <typename... Args>
Error MakeError(ErrorCode code, fmt::format_string<Args...> format,
                Args&&... args) {
  return Error{.code = code,
               .what = fmt::format(format, std::forward<Args>(args)...)};
}

#define ASSAY_ERROR_MAKER(Maker, kCode)                                      \
  template <typename... Args>                                                \
  Error Maker(fmt::format_string<Args...> format, Args&&... args) {          \
    return MakeError(ErrorCode::kCode, format, std::forward<Args>(args)...); \
  }
ASSAY_ERROR_MAKER(Usage, kUsage)
ASSAY_ERROR_MAKER(NotFound, kNotFound)
ASSAY_ERROR_MAKER(Corrupt, kCorrupt)
ASSAY_ERROR_MAKER(Unsupported, kUnsupported)
ASSAY_ERROR_MAKER(TooLarge, kTooLarge)
ASSAY_ERROR_MAKER(IoError, kIo)
ASSAY_ERROR_MAKER(Internal, kInternal)
#undef ASSAY_ERROR_MAKER

// A value or an Error; an Error can be returned as it is.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(Error error)
      : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}

  bool ok() const { return this->has_value(); }
};

struct Done {};  // the value of a Result that carries no value
using Status = Result<Done>;

#define ASSAY_CONCAT_INNER(a, b) a##b
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_INNER(a, b)

#define ASSIGN_OR_RETURN(declaration, expression) \
  ASSIGN_OR_RETURN_AS(ASSAY_CONCAT(result_, __LINE__), declaration, expression)
#define ASSIGN_OR_RETURN_AS(name, declaration, expression) \
  auto name = (expression);                                \
  if (!name) return std::move(name).error();               \
  declaration = *std::move(name)

#define RETURN_IF_ERROR(expression)                                            \
  do {                                                                         \
    if (auto status = (expression); !status) return std::move(status).error(); \
  } while (false)

}  // namespace assay
