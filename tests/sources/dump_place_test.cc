#include "sources/dump_place.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

// "run | rank device model id step", "-" where it does not say.
std::string Told(const DumpPlace& place) {
  const auto number = [](int32_t n) {
    return n < 0 ? "-" : fmt::format("{}", n);
  };
  return fmt::format("{} | {} {} {} {} {}", place.run, number(place.rank),
                     number(place.device), place.model, number(place.model_id),
                     number(place.step));
}

TEST(DumpPlace, LevelsOfATree) {
  const struct {
    std::string_view above, folder, told;
  } kRows[] = {
      {"", "", " | - -  - -"},
      {"", "20240501120000/0/net/1/3", "20240501120000 | - 0 net 1 3"},
      {"", "a/b/20240501120000/7/net/1/3", "a/b/20240501120000 | - 7 net 1 3"},
      {"", "20240501120000/0", "20240501120000 | - 0  - -"},
      {"", "20240501120000/0/net", "20240501120000 | - 0 net - -"},
      {"", "20240501120000/0/1/2", "20240501120000 | - 0  1 2"},
      {"", "20240501120000", "20240501120000 | - -  - -"},
      {"", "20240101", "20240101 | - -  - -"},
      // Opened below the folder of the run.
      {"20240501120000", "0/net/1/3", " | - 0 net 1 3"},
      {"20240501120000", "0", " | - 0  - -"},
      {"20240501120000/0", "net/1/3", " | - - net 1 3"},
      {"20240501120000/0/net", "1/3", " | - - net 1 3"},
      {"20240501120000/0/net/1", "3", " | - - net - 3"},
      {"20240501120000/0/net/1/3", "", " | - - net - -"},
      // Copied out of it.
      {"", "net/1/3", " | - - net 1 3"},
      {"", "0/net/1/3", " | - 0 net 1 3"},
      {"", "1/3", " | - -  1 3"},
      {"", "3", " | - -  - 3"},
      {"", "ge", " | - - ge - -"},
      {"", "net/1/99999999999", " | - - net 1 -"},
      // Ranks.
      {"", "worldsize2_global_rank1/20251010083830/1/graph_1/1/0",
       "worldsize2_global_rank1/20251010083830 | 1 1 graph_1 1 0"},
      {"", "x/7/worldsize2_global_rank1/20251010083830/1/g/1/0",
       "x/7/worldsize2_global_rank1/20251010083830 | 1 1 g 1 0"},
      // Exceptions.
      {"", "extra-info/data-dump/2", " | - 2  - -"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Told(PlaceOf(row.above, row.folder)), row.told)
        << row.above << " + " << row.folder;
  }
}

TEST(DumpPlace, LevelsAboveTheOpenedFolder) {
  const struct {
    std::string root, above;
  } kRows[] = {
      {"/d/20240501120000/0/net/1/3/", "20240501120000/0/net/1/3"},
      {"/d/20240501120000", "20240501120000"},
      {"/d/20240501120000/0/net/1/3/deeper", ""},
      {"/d/net/1/3", ""},
      {"/20240501120000/20240601120000/0", "20240601120000/0"},
      {"/", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(LevelsAbove(row.root), row.above);
}

TEST(DumpPlace, RankFolders) {
  EXPECT_EQ(RankOfFolder("worldsize8_global_rank3"), 3);
  EXPECT_EQ(RankOfFolder("worldsize16_global_rank12"), 12);
  for (const char* no : {"rank3", "worldsize8", "worldsize8_global_rank",
                         "worldsize8_global_rank3x", ""}) {
    EXPECT_EQ(RankOfFolder(no), -1) << no;
  }
}

}  // namespace
}  // namespace assay
