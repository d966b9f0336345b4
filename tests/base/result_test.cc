#include "base/result.h"

#include <gtest/gtest.h>

#include <set>

namespace assay {
namespace {

TEST(Error, HasThreeParts) {
  const struct {
    Error error;
    std::string text;
  } kRows[] = {
      {Usage("unknown metric '{}'", "cosin"),
       "assay: unknown metric 'cosin'\n"},
      {Corrupt("bad").At("a.npy"), "assay: bad\n  in    a.npy\n"},
      {Corrupt("bad").At("a.npy", 80).Hint("dump it again"),
       "assay: bad\n  in    a.npy (byte 80)\n  hint  dump it again\n"},
      {NotFound("bad").AtLine("map.txt", 3),
       "assay: bad\n  in    map.txt (line 3)\n"},
      {IoError("bad").Of("w"), "assay: bad\n  in    tensor w\n"},
      {TooLarge("bad").At("a.npz", 0).Of("w"),
       "assay: bad\n  in    a.npz (byte 0), tensor w\n"},
      {Internal("bad").Hint("report it"), "assay: bad\n  hint  report it\n"},
  };
  for (const auto& row : kRows) EXPECT_EQ(row.error.Text(), row.text);
}

TEST(Error, CodesHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    names.insert(Name(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(Name(ErrorCode::kNotFound), "not_found");
  EXPECT_EQ(Unsupported("x").code, ErrorCode::kUnsupported);
}

Result<int> Half(int n) {
  if (n % 2 != 0) return Usage("{} is odd", n);
  return n / 2;
}

Result<int> Quarter(int n) {
  ASSIGN_OR_RETURN(const int half, Half(n));
  return Half(half);
}

Status CheckEven(int n) {
  RETURN_IF_ERROR(Half(n));
  return Done{};
}

TEST(Result, PassesErrorsUp) {
  const struct {
    int n;
    std::string outcome;
  } kRows[] = {{8, "2"}, {6, "3 is odd"}, {5, "5 is odd"}};
  for (const auto& row : kRows) {
    const Result<int> result = Quarter(row.n);
    EXPECT_EQ(result ? std::to_string(*result) : result.error().what,
              row.outcome);
  }
  EXPECT_TRUE(CheckEven(4).ok());
  EXPECT_FALSE(CheckEven(3).ok());
}

}  // namespace
}  // namespace assay
