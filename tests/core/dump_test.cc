#include "core/dump.h"

#include <gtest/gtest.h>

#include "core/comparison.h"

namespace assay {
namespace {

TEST(NamePool, KeepsEachTextOnce) {
  NamePool names;
  EXPECT_EQ(names.Intern(""), kNoName);
  const NameId conv = names.Intern("conv");
  for (int i = 0; i < 1000; ++i) names.Intern("op" + std::to_string(i));
  EXPECT_EQ(names.Intern(std::string("conv")), conv);
  EXPECT_EQ(names[conv], "conv");
  EXPECT_EQ(names[names.Intern("op999")], "op999");
  EXPECT_EQ(names[kNoName], "");
}

TEST(Dump, KnowsItsPaths) {
  Dump dump;
  dump.files = {"a.npy", "sub/b.npy"};
  TensorInfo t;
  t.file = 1;
  t.name = dump.names.Intern("b");
  EXPECT_EQ(dump.NameOf(t), "b");
  EXPECT_EQ(dump.PathOf(t), "sub/b.npy");
  dump.root = "golden";
  EXPECT_EQ(dump.PathOf(t), "golden/sub/b.npy");
}

TEST(Names, OfEveryChoice) {
  const struct {
    std::string_view got, wanted;
  } kRows[] = {
      {Name(Port::kNone), ""},
      {Name(Port::kInput), "input"},
      {Name(Port::kOutput), "output"},
      {Name(Phase::kForward), "forward"},
      {Name(Phase::kBackward), "backward"},
      {Name(OrderFrom::kNone), "none"},
      {Name(OrderFrom::kGraph), "graph"},
      {Name(OrderFrom::kIndex), "index"},
      {Name(OrderFrom::kTimestamp), "timestamp"},
      {Name(Layout::kND), "ND"},
      {Name(Verdict::kPass), "pass"},
      {Name(Verdict::kFail), "fail"},
      {Name(Verdict::kUnsure), "unsure"},
      {Name(Verdict::kTrivial), "trivial"},
      {Name(Verdict::kSkipped), "skipped"},
      {Name(Verdict::kError), "error"},
      {Name(Cause::kNone), ""},
      {Name(Cause::kOrigin), "origin"},
      {Name(Cause::kInherited), "inherited"},
      {Name(Cause::kUnknown), "unknown"},
      {Name(Side::kGolden), "golden"},
      {Name(Side::kTarget), "target"},
  };
  for (const auto& row : kRows) EXPECT_EQ(row.got, row.wanted);
}

}  // namespace
}  // namespace assay
