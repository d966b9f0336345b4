#pragma once

#include <functional>

#include "pipeline/capture.h"

namespace assay {

struct PromptOptions {
  double seconds = 360;        // that the prompt may be silent
  bool show_progress = false;  // on the terminal
  std::function<void(std::string_view)> job_printed;
};

// Runs the job on a terminal and types at its tfdbg prompt: `run`, `lt`, and a
// `pt` per tensor. It ends the job after the last step; the exit code of that
// says nothing.
Result<CaptureReport> CaptureAtPrompt(const CaptureOptions& options,
                                      const PromptOptions& prompt);

}  // namespace assay
