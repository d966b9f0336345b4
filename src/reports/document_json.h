#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/result.h"
#include "core/comparison.h"

namespace assay {

// The members of an `assay.comparison/1` document, in groups that the json and
// jsonl reports and the run file put together each in its own way.

void AppendVerdict(const Comparison& c, JsonWriter& json);  // verdict, exit
void AppendOrigins(const Comparison& c, JsonWriter& json);
void AppendCounts(const Comparison& c, JsonWriter& json);   // and coverage
void AppendSources(const Comparison& c, JsonWriter& json);  // and pairing
void AppendFindings(const Comparison& c, JsonWriter& json);
void AppendRun(const Comparison& c, JsonWriter& json);

std::string UnpairedJson(const UnpairedTensor& tensor);

// Everything but the rows and the unpaired tensors, as one object, and back.
std::string HeaderJson(const Comparison& c);
Result<Comparison> HeaderFromJson(std::string_view text);

}  // namespace assay
