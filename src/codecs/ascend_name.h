#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

// Names of Ascend dump files, without the folder:
//   TYPE.OPERATOR.TASK[.STREAM].TIME[.TASKTYPE.CONTEXT.THREAD[.DEVICE]]
// and those of exception dumps, which differ in the middle.

// By its name alone it is an Ascend dump, whatever is in it.
bool IsAscendName(std::string_view name);

// The thread that made a slice; nothing if the name does not say.
std::optional<uint64_t> AscendThread(std::string_view name);

}  // namespace assay
