#include "pipeline/tap_runs.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <numeric>

#include "base/sha256.h"
#include "base/text.h"
#include "graphs/onnx_cut.h"
#include "graphs/onnx_save.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// So many runs in a row that gave nothing are enough; hanging takes long. One
// that works, and says what it cannot do, is asked for more.
constexpr int kMostBarren = 8, kMostBarrenHangs = 2, kMostRefused = 64;

bool IsEnough(const RunReport& report, int barren) {
  return report.final ||
         barren >= (report.hung ? kMostBarrenHangs : kMostBarren);
}

// Cut models of one request: so many bytes of them, and so many.
constexpr uint64_t kCutBytes = 256 << 20;
constexpr size_t kCutModels = 64;

}  // namespace

TapRuns::TapRuns(const onnx::OnnxFile& file, const ModelRun& run,
                 RunRequest request, const RunLimits& limits,
                 ExecutorPool& pool)
    : file_(file),
      run_(run),
      request_(std::move(request)),
      limits_(limits),
      pool_(pool) {}

void TapRuns::Run(const std::vector<RunRequest::Tensor>& taps, bool isolate,
                  const Use& use) {
  taps_ = &taps;
  isolated_ = isolate;
  isolate ? RunIsolated(use) : RunWhole(use);
  std::error_code ignored;
  fs::remove_all(CutFolder(), ignored);
}

void TapRuns::Fail(const std::vector<size_t>& places, const Error& error,
                   const Use& use) const {
  for (const size_t place : places) use({.place = place, .error = error});
}

// Left halves first: what stands before a tap that fails can still be had.
void TapRuns::RunWhole(const Use& use) {
  std::vector<Group> open(1);
  for (size_t i = 0; i < taps_->size(); ++i) open[0].places.push_back(i);
  // What it takes to come to one tap brings nothing either.
  const auto halvings = static_cast<int>(std::bit_width(taps_->size()));
  int barren = 0;
  bool works = false, over = false;
  RunReport report;
  while (!open.empty()) {
    const Group group = std::move(open.back());
    open.pop_back();
    if (over) {
      Fail(group.places, *report.failure, use);
      continue;
    }
    std::vector<size_t> left;
    report = RunGroup(group, use, left);
    works |= brought_;
    barren = brought_ ? 0 : barren + 1;
    const bool refused = works && (report.said || !report.failure);
    const int most = (refused ? kMostRefused : kMostBarren) + halvings;
    over = barren >= (report.hung ? kMostBarrenHangs : most);
    if (!report.failure) report.failure = refusal_;
    if (left.empty()) continue;
    over |= report.final;
    if (over || (group.cut && group.places.size() == 1)) {
      Fail(left, *report.failure, use);
      continue;
    }
    auto middle = left.begin() + static_cast<ptrdiff_t>((left.size() + 1) / 2);
    if (report.hung) {  // halves would hang once each
      middle = left.begin() + 1;
      Fail({left.front()}, *report.failure, use);
    } else {
      open.push_back({{left.begin(), middle}, true});
    }
    if (middle == left.end()) continue;
    open.push_back({{middle, left.end()}, true});
    if (!report.hung) std::swap(open.back(), open[open.size() - 2]);
  }
}

RunReport TapRuns::RunGroup(const Group& group, const Use& use,
                            std::vector<size_t>& left) {
  request_.taps.clear();
  if (!group.cut) {
    for (const size_t place : group.places) {
      request_.taps.push_back((*taps_)[place]);
    }
    return Send(group.places, use, left);
  }
  const Status cut =
      Cut(group.places, CutFolder() + "/group.onnx", request_.taps);
  if (cut) return Send(group.places, use, left);
  left = group.places;
  brought_ = false;
  RunReport report;
  report.failure = cut.error();
  return report;
}

RunReport TapRuns::Send(const std::vector<size_t>& places, const Use& use,
                        std::vector<size_t>& left) {
  brought_ = false;
  refusal_ = Corrupt("the executor was done without it");
  const auto take = [&](RunTensor tensor) {
    if (tensor.output) return use(std::move(tensor));
    brought_ |= tensor.reported && !tensor.error;
    if (tensor.reported && tensor.error) refusal_ = *tensor.error;
    tensor.place = places[tensor.place];
    if (!tensor.reported) {
      left.push_back(tensor.place);
    } else {
      use(std::move(tensor));
    }
  };
  RunReport report = isolated_
                         ? pool_.Run(run_, request_, limits_, take)
                         : RunInChild(run_.words, request_, limits_, take);
  // Once is enough; what fails behind all taps would fail again.
  if (!report.failure || left.empty()) request_.outputs.clear();
  if (!report.facts.empty()) facts_ = report.facts;
  if (!report.ir.empty()) ir_ = report.ir;
  if (!report.errors.empty()) errors_ = report.errors;
  notes_.insert(notes_.end(), report.notes.begin(), report.notes.end());
  return report;
}

// A model that ends with these taps, for all of them.
Status TapRuns::Cut(const std::vector<size_t>& places, const std::string& path,
                    std::vector<RunRequest::Tensor>& out) const {
  onnx::Cut cut;
  for (const size_t place : places) {
    ASSIGN_OR_RETURN(const NameId name,
                     onnx::FindTensor(file_, (*taps_)[place].name));
    cut.to.push_back(name);
  }
  ASSIGN_OR_RETURN(const std::string bytes, onnx::ExtractModel(file_, cut));
  std::error_code ignored;
  fs::create_directories(CutFolder(), ignored);
  RETURN_IF_ERROR(onnx::SaveModel(file_, bytes, path));
  // Values in other files may change under the same bytes.
  const std::string session =
      file_.ExternalFiles().empty() ? Sha256(bytes) : "";
  for (const size_t place : places) {
    out.push_back((*taps_)[place]);
    out.back().model = path;
    out.back().session = session;
  }
  return Done{};
}

// The next taps that come from the same node: their cut is the same.
std::vector<size_t> TapRuns::OfOneNode(std::deque<size_t>& open) const {
  const auto maker = [&](size_t tap) {
    return file_.MakerOf(file_.model().names.Find((*taps_)[tap].name));
  };
  std::vector<size_t> same;
  do {
    same.push_back(open.front());
    open.pop_front();
  } while (!open.empty() && maker(open.front()) == maker(same[0]));
  return same;
}

// Fills a request with models of single nodes; the taps that it is about.
std::vector<size_t> TapRuns::NextCuts(std::deque<size_t>& open,
                                      const Use& use) {
  request_.taps.clear();
  std::vector<size_t> places;
  uint64_t bytes = 0;
  for (size_t models = 0;
       !open.empty() && models < kCutModels && bytes < kCutBytes; ++models) {
    const std::vector<size_t> same = OfOneNode(open);
    const std::string path = fmt::format("{}/{}.onnx", CutFolder(), same[0]);
    const Status cut = Cut(same, path, request_.taps);
    if (!cut) {
      Fail(same, cut.error(), use);
      continue;
    }
    ++cuts_;
    places.insert(places.end(), same.begin(), same.end());
    std::error_code ignored;
    bytes += fs::file_size(path, ignored);
  }
  return places;
}

// One model per node, loaded once for all its outputs; several to a request.
// What breaks the executor costs the tap it was at: they are run in order.
void TapRuns::RunIsolated(const Use& use) {
  std::deque<size_t> open(taps_->size());
  std::iota(open.begin(), open.end(), size_t{0});
  int barren = 0;
  while (!open.empty()) {
    const std::vector<size_t> places = NextCuts(open, use);
    std::vector<size_t> left;
    const RunReport report = Send(places, use, left);
    std::error_code ignored;
    fs::remove_all(CutFolder(), ignored);
    if (left.empty()) continue;
    barren = left.size() == places.size() ? barren + 1 : 0;
    const Error why =
        report.failure.value_or(Corrupt("the executor was done without it"));
    Fail({left.front()}, why, use);
    open.insert(open.begin(), left.begin() + 1, left.end());
    if (!IsEnough(report, barren)) continue;
    Fail({open.begin(), open.end()}, why, use);
    break;
  }
  notes_.push_back(fmt::format("{} of {}", Counted(taps_->size(), "tap"),
                               Counted(cuts_, "cut model")));
}

}  // namespace assay
