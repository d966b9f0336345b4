#pragma once

#include <cstdint>
#include <string_view>

#include "codecs/codec.h"
#include "core/dump.h"

namespace assay {

// Adds the tensors of a file that lies in no special tree. A tensor is called
// by the path of its file without the suffix; a member of a file with several
// tensors is path/member. `original` is what the file is really called; it
// says which operator the tensor belongs to.
void AddPlainFile(uint32_t file, std::string_view original,
                  Result<Listing> listing, Dump& dump);

// The port and index that a member of an Ascend dump is called by: "output:0".
// kNone for a buffer or a workspace.
struct Slot {
  Port port = Port::kNone;
  int32_t index = -1;
};
Slot ParseSlot(std::string_view member);

}  // namespace assay
