#include "reports/language.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Language, KnowsTheVerdicts) {
  const Language chinese("zh"), english("en");
  for (size_t i = 0; i < kVerdicts; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_NE(chinese.Word(verdict), Name(verdict));
    EXPECT_EQ(english.Word(verdict), Name(verdict));
  }
}

TEST(Language, FillsWhatStoodInTheHoles) {
  const Language chinese("zh");
  EXPECT_EQ(chinese.Sentence("the target's values are those of golden's a{0}: "
                             "the outputs are swapped"),
            "待测数值等于标杆的 a{0}：输出互换了");
  const std::string overflow = chinese.Sentence(
      "3 of 144 values overflow float16 in the target; golden stays finite "
      "there");
  EXPECT_NE(overflow.find("144 个数值中有 3 个溢出"), std::string::npos);
}

TEST(Language, TakesSentencesApart) {
  const Language chinese("zh");
  const std::pair<std::string, std::string> kRows[] = {
      {"conv1, add make the error; 3 of 118 rows fail",
       "conv1, add 产生误差；118 行中 3 行失败"},
      {"all zero on both sides; some metrics have no value: no elements",
       "两侧全为零；部分指标无值：没有元素"},
      {"its inputs are equal or in a, b, not compared",
       "其输入相等，或在未比对的 a, b 中"},
      {"its inputs are equal; a new sentence", "其输入相等；a new sentence"},
      // A name may be a sentence, and stays a name.
      {"equal makes the error", "equal 产生误差"},
  };
  for (const auto& [english, wanted] : kRows) {
    EXPECT_EQ(chinese.Sentence(english), wanted);
    EXPECT_EQ(Language("en").Sentence(english), english);
  }
}

TEST(Language, LeavesWhatItDoesNotKnow) {
  const Language chinese("zh");
  for (const char* text : {"", "a new sentence", "of values overflow"}) {
    EXPECT_EQ(chinese.Sentence(text), text);
  }
  EXPECT_EQ(Language("en").Sentence("{} {0} x"), "{} {0} x");
}

TEST(Language, RefusesOthers) {
  EXPECT_TRUE(Language::Check("zh"));
  EXPECT_EQ(Language::Check("fr").error().what, "unknown language 'fr'");
}

}  // namespace
}  // namespace assay
