#pragma once

#include <string>

#include "pipeline/capture.h"

namespace assay {

// What came of a job, and what to type next, for people.
std::string CaptureText(const CaptureReport& report,
                        const CaptureOptions& options);

}  // namespace assay
