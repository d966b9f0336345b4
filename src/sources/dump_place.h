#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// Where a folder stands in a dump tree
//   [worldsizeW_global_rankR/]TIME/DEVICE/[MODEL/][MODELID/][STEP/]
// of which any part may lie above the opened folder. -1 and "" stand for a
// level that is not there, or that the user chose by opening a folder below it.
struct DumpPlace {
  std::string_view run;    // path of the TIME folder below the opened one
  std::string_view model;  // also from above the opened folder
  int32_t rank = -1;       // R
  int32_t device = -1;
  int32_t model_id = -1;
  int32_t step = -1;
};

// `above` is what LevelsAbove() says of the opened folder.
DumpPlace PlaceOf(std::string_view above, std::string_view folder);

// The last part of the path of `root`, from a TIME folder on; empty if it is
// in none.
std::string LevelsAbove(const std::string& root);

// Where the graphs of a dump lie if a folder inside it was opened: beside TIME,
// or beside the folder of the rank that TIME is in.
struct DumpHome {
  std::string folder;  // empty: the folder is in no such dump
  int32_t rank = -1;   // that the opened folder is in
};
DumpHome HomeOf(const std::string& root);

// 3 for "worldsize8_global_rank3"; -1 for any other name.
int32_t RankOfFolder(std::string_view name);

}  // namespace assay
