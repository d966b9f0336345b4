#include "pipeline/capture_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace assay {
namespace {

constexpr size_t kMostNotes = 10;

// Why a job may leave nothing, by kind.
std::string_view WhyNothing(CaptureKind kind) {
  if (kind == CaptureKind::kTf) {
    return "the script must wrap its session with "
           "tf_debug.LocalCLIDebugWrapperSession or use LocalCLIDebugHook, and "
           "reach the step asked for (--steps)";
  }
  return "the script must take its session's settings from "
         "precision_tool.tf_config, or dump by itself (--from DIR), and not "
         "unset the variables (--print-env)";
}

std::string Next(const CapturePlaces& places, CaptureKind kind) {
  if (kind == CaptureKind::kOverflow) {
    return fmt::format("assay overflow {}", places.overflow);
  }
  if (kind == CaptureKind::kTf) {
    return fmt::format("assay compare {} {}/npu", places.golden, places.root);
  }
  return fmt::format("assay compare {} {}", places.golden, places.dump);
}

}  // namespace

std::string CaptureText(const CaptureReport& report,
                        const CaptureOptions& options) {
  std::string text = fmt::format("the job ended with {} after {} s\n",
                                 report.exit, RoundedText(report.seconds, 3));
  for (const CaptureReport::Came& came : report.came) {
    if (came.files == 0) continue;
    text +=
        fmt::format("  {:<6} {} in {}\n", came.files, came.what, came.folder);
  }
  for (size_t i = 0; i < std::min(report.notes.size(), kMostNotes); ++i) {
    text += fmt::format("note: {}\n", report.notes[i]);
  }
  if (report.notes.size() > kMostNotes) {
    text +=
        fmt::format("note: … and {} more\n", report.notes.size() - kMostNotes);
  }
  if (report.nothing()) {
    return text + fmt::format("warning: nothing came: no {}\n  hint  {}\n",
                              report.came.front().what,
                              WhyNothing(options.kind));
  }
  return text +
         fmt::format("next: {}\n", Next(PlacesOf(options), options.kind));
}

}  // namespace assay
