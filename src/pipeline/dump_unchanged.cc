#include "pipeline/dump_unchanged.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "codecs/codec.h"
#include "core/metrics.h"
#include "executors/tensor_file.h"
#include "kernel/reduce.h"
#include "pipeline/measure.h"

namespace assay {
namespace {

// Adds how far two tensors are apart.
Status AddDistance(const std::string& plain, const std::string& tapped,
                   Unchanged& out) {
  ASSIGN_OR_RETURN(const Listing a, ListFile(plain, {}));
  ASSIGN_OR_RETURN(const Listing b, ListFile(tapped, {}));
  const StoredTensor &x = a.tensors.at(0), &y = b.tensors.at(0);
  if (x.dtype != y.dtype || x.shape != y.shape) {
    return Corrupt("{}{} untouched, {}{} with taps", Name(x.dtype),
                   ToText(x.shape), Name(y.dtype), ToText(y.shape));
  }
  ASSIGN_OR_RETURN(const std::string untouched, ReadValues(plain, x));
  ASSIGN_OR_RETURN(const std::string looked_at, ReadValues(tapped, y));
  if (untouched == looked_at) return Done{};
  out.equal = false;
  const std::vector<MeasureJob> jobs = {
      {PlainView(plain, x), PlainView(tapped, y)}};
  Progress progress("", 0, Progress::Unit::kBytes, false);
  const std::atomic<bool> go_on = false;
  const auto measured =
      Measure(jobs, {.threads = 1, .kernels = AvailableKernels().front()},
              progress, go_on);
  for (const auto& [name, worst] :
       {std::pair("max_abs", &out.max_abs), std::pair("rel_l2", &out.rel_l2)}) {
    const auto value = FindMetric(name)->value(measured[0].stats, {});
    if (value) *worst = std::max(*worst, value->AsDouble());
  }
  return Done{};
}

}  // namespace

OutputCheck::OutputCheck(std::string folder,
                         const std::vector<RunRequest::Tensor>& taps,
                         const std::vector<RunRequest::Tensor>& outputs)
    : folder_(std::move(folder)) {
  for (const RunRequest::Tensor& output : outputs) {
    const auto tap =
        std::ranges::find(taps, output.name, &RunRequest::Tensor::name);
    outputs_.push_back(
        {.name = output.name, .tap = static_cast<size_t>(tap - taps.begin())});
  }
}

void OutputCheck::Add(const RunTensor& tensor) {
  if (tensor.error) return;
  if (tensor.output) {
    outputs_[tensor.place].plain = tensor.file;
    return;
  }
  for (Output& output : outputs_) {
    if (output.tap == tensor.place) output.tapped = tensor.file;
  }
}

Unchanged OutputCheck::Compare() const {
  if (outputs_.empty()) return {.why = "no node makes an output of the model"};
  Unchanged out{.equal = true};
  for (const Output& output : outputs_) {
    if (output.plain.empty() || output.tapped.empty()) {
      return {.why = fmt::format("there is no '{}' of the run {}", output.name,
                                 output.plain.empty() ? "of the untouched model"
                                                      : "with taps")};
    }
    const Status compared = AddDistance(folder_ + "/" + output.plain,
                                        folder_ + "/" + output.tapped, out);
    if (compared) continue;
    out.equal = false;
    out.why = fmt::format("'{}': {}", output.name, compared.error().what);
  }
  if (!*out.equal && out.why.empty()) {
    out.why =
        fmt::format("with taps the outputs differ by up to {} (relative {})",
                    RoundedText(out.max_abs), RoundedText(out.rel_l2));
  }
  return out;
}

}  // namespace assay
