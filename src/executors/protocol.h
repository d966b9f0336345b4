#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "executors/executor.h"

namespace assay {

std::string RequestJson(const RunRequest& request);
Result<RunRequest> ParseRequest(std::string_view json);

// One line of an executor.
struct Answer {
  enum class Kind : uint8_t { kTensor, kIr, kNote, kError, kDone, kCheck };

  Kind kind = Kind::kNote;
  std::string name;  // of a tensor
  RunTensor tensor;
  std::string text;    // of an IR, a note, an error
  bool final = false;  // an error
  Texts facts;         // of the end
  ExecutorState state;
};

Result<Answer> ParseAnswer(std::string_view line);
std::string AnswerJson(const Answer& answer);

}  // namespace assay
