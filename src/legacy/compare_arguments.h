#pragma once

#include <cstdint>
#include <string_view>

#include "legacy/msaccucmp_log.h"
#include "legacy/old_arguments.h"

namespace assay {

// What argparse itself refuses in the words of msaccucmp compare.
Status CheckCompareWords(const OldArguments& args);
// Conflicts of options, and paths; of several faults the one that the original
// finds first.
OldStatus CheckCompareArguments(const OldArguments& args);
// What two folders need beyond that.
OldStatus CheckFolderArguments(const OldArguments& args);

bool IsGiven(const OldArguments& args, std::string_view option);  // and not ""
bool IsInteger(const std::string& text);
int64_t NumberOf(const OldArguments& args, std::string_view option,
                 int64_t other);
OldFailure Wrong(std::string_view text);

}  // namespace assay
