#include "judge/fail_on.h"

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace assay {

Result<FailOn> FailOn::Parse(const std::string& text) {
  const size_t at = text.find_first_of("<>");
  const auto bad = [&](std::string hint) {
    return Usage("--fail-on '{}' does not read METRIC<NUMBER", text)
        .Hint(hint.empty() ? "for example --fail-on 'cosine<0.99'" : hint);
  };
  if (at == std::string::npos) return bad("");
  const std::string name(Trim(std::string_view(text).substr(0, at)));
  FailOn rule = {.text = text};
  ASSIGN_OR_RETURN(rule.metric, MetricNamed(name));
  const bool equal = at + 1 < text.size() && text[at + 1] == '=';
  rule.op = text[at] == '<' ? (equal ? kLessEqual : kLess)
                            : (equal ? kGreaterEqual : kGreater);
  const std::string_view number =
      Trim(std::string_view(text).substr(at + (equal ? 2 : 1)));
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, rule.limit);
  if (error != std::errc() || stop != end || std::isnan(rule.limit))
    return bad("");
  return rule;
}

bool FailOn::Holds(double value) const {
  switch (op) {
    case kLess:
      return value < limit;
    case kLessEqual:
      return value <= limit;
    case kGreater:
      return value > limit;
    case kGreaterEqual:
      return value >= limit;
  }
  return true;
}

}  // namespace assay
