#pragma once

#include <string>
#include <vector>

#include "legacy/msaccucmp_log.h"

namespace assay {

// The sub-commands of msaccucmp: what follows their word; the exit code.
int RunMsaccucmpCompare(const std::vector<std::string>& words);
int RunMsaccucmpConvert(const std::vector<std::string>& words);
int RunMsaccucmpOverflow(const std::vector<std::string>& words);
int RunMsaccucmpFileCompare(const std::vector<std::string>& words);

// Says why, and gives the exit code.
int GiveUp(const OldFailure& failure);
// Argparse's way to refuse: exit code 2.
int RefuseArguments(std::string_view program, const Error& error);

// Whether all of it is letters, digits and _ / . , -
bool IsOldPath(std::string_view path);

}  // namespace assay
