// What the fuzzer starts from, and what it found, never crashes the parsers.
#include <gtest/gtest.h>

#include <filesystem>

#include "sources/array_name.h"
#include "sources/dump_name.h"
#include "sources/dump_place.h"
#include "sources/mapping_csv.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(Corpus, NamesAreReplayed) {
  size_t known = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("dump_name"))) {
    const std::string text = Content(entry.path());
    known += ParseDumpName(text).has_value();
    known += ParseArrayName(text).has_value();
    known += !PlaceOf("", text).run.empty();
    known += !ParseMapping(text, [](std::string_view) {
                return false;
              }).originals.empty();
  }
  EXPECT_GT(known, 8u);
}

}  // namespace
}  // namespace assay
