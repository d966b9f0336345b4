#include "sources/digits.h"

#include <charconv>
#include <chrono>
#include <limits>

namespace assay {
namespace {

constexpr size_t kDay = 8, kSecond = 14;
constexpr int64_t kMicros = 1'000'000;

template <typename T>
std::optional<T> Parse(std::string_view text) {
  if (!AllDigits(text)) return std::nullopt;
  T value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

int Part(std::string_view text, size_t at, size_t length) {
  return static_cast<int>(Parse<int32_t>(text.substr(at, length)).value_or(-1));
}

// Days since 1970 of "YYYYmmdd...".
std::optional<int64_t> ParseDay(std::string_view text) {
  using namespace std::chrono;
  const int year_number = Part(text, 0, 4);
  const year_month_day date(year{year_number},
                            month{static_cast<unsigned>(Part(text, 4, 2))},
                            day{static_cast<unsigned>(Part(text, 6, 2))});
  if (year_number < 1970 || year_number > 2200 || !date.ok()) {
    return std::nullopt;
  }
  return sys_days(date).time_since_epoch().count();
}

// Microseconds since 1970 of "YYYYmmddHHMMSS".
std::optional<int64_t> ParseCalendar(std::string_view text) {
  const auto days = ParseDay(text);
  const int hour = Part(text, 8, 2), minute = Part(text, 10, 2),
            second = Part(text, 12, 2);
  if (!days || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return (((*days * 24 + hour) * 60 + minute) * 60 + second) * kMicros;
}

std::optional<int64_t> ParseFraction(std::string_view text, int64_t micros) {
  const auto whole = ParseCalendar(text.substr(0, kSecond));
  if (!whole) return std::nullopt;
  return *whole + Part(text, kSecond, text.size() - kSecond) * micros;
}

// Not every producer counts in dates. What such a number means is not known,
// but larger is later.
std::optional<int64_t> Or(std::optional<int64_t> date, std::string_view text) {
  if (date) return date;
  constexpr size_t kDigits = 18;  // as many as fit for sure
  return ParseDigits(text.substr(0, kDigits));
}

}  // namespace

bool AllDigits(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<int64_t> ParseDigits(std::string_view text) {
  return Parse<int64_t>(text);
}

std::optional<int32_t> ParseSmall(std::string_view text) {
  return Parse<int32_t>(text);
}

std::optional<int64_t> ParseTime(std::string_view text) {
  if (!AllDigits(text)) return std::nullopt;
  switch (text.size()) {
    case 10:
      return *ParseDigits(text) * kMicros;
    case 13:
      return *ParseDigits(text) * 1000;
    case 16:
      return ParseDigits(text);
    case 19: {
      const auto nanos = ParseDigits(text);
      return nanos ? std::optional(*nanos / 1000) : std::nullopt;
    }
    case 14:
      return Or(ParseCalendar(text), text);
    case 17:
      return Or(ParseFraction(text, 1000), text);
    case 20:
      return Or(ParseFraction(text, 1), text);
    default:
      return std::nullopt;
  }
}

bool IsTimeFolder(std::string_view name) {
  if (!AllDigits(name)) return false;
  return name.size() == kDay ? ParseDay(name).has_value()
                             : name.size() >= kSecond;
}

}  // namespace assay
