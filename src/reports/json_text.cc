#include "reports/json_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace assay {
namespace {

std::string RealText(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = ShortestText(value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string NumberText(const Number& number) {
  switch (number.kind) {
    case NumberKind::kSigned:
      return fmt::format("{}", number.raw.sint);
    case NumberKind::kUnsigned:
      return fmt::format("{}", number.raw.uint);
    case NumberKind::kReal:
      break;
  }
  return RealText(number.raw.real);
}

void AppendNumber(const Number& number, JsonWriter& json) {
  const std::string text = NumberText(number);
  const bool finite = std::isfinite(number.AsDouble());
  finite ? json.Raw(text) : json.Text(text);
}

}  // namespace assay
