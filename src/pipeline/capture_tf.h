#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/capture.h"

namespace assay {

// The runs (session_0/run_TIME_0) that hold these files of tf_debug.
std::vector<std::string> RunsOf(const std::vector<std::string>& files);

// Writes the tensors of these runs as arrays into the golden's folder, in a
// folder for each run if there are several, and reports them. What is no
// number is noted.
Status WriteTfdbgArrays(const CapturePlaces& places,
                        const std::vector<std::string>& runs,
                        CaptureReport& report);

// The names in what tfdbg's `lt` prints: "scope/node:0", repeated as there.
std::vector<std::string> TensorsOfLt(std::string_view text);

// What a person types at the prompt to save these tensors in `folder`, where
// the names that are too long for files are kept.
Result<std::string> PtCommands(const std::vector<std::string>& tensors,
                               const std::string& folder, int64_t time);

}  // namespace assay
