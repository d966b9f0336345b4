#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/dump.h"
#include "pipeline/run_source.h"
#include "pipeline/talk.h"

namespace assay {

// Opens one side of a comparison, and says what it is and what of it could not
// be read.
Result<Dump> OpenSide(std::string_view side, const std::string& source,
                      Sources& sources, const Talk& talk);

}  // namespace assay
