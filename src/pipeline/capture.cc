#include "pipeline/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/attached_child.h"
#include "executors/python_words.h"
#include "pipeline/capture_collect.h"
#include "pipeline/capture_tf.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The folders that the job may leave something in, as they were before.
class Watched {
 public:
  explicit Watched(const CaptureOptions& options)
      : places_(PlacesOf(options)), folders_(options.look_in) {
    folders_.insert(folders_.begin(), ".");
    for (const std::string& folder : folders_) {
      before_.push_back(EntriesIn(folder));
    }
    root_before_ = FilesBelow(places_.root);
  }

  void Collect(std::vector<std::string>& notes) const {
    Collector collector(places_, notes);
    for (size_t i = 0; i < folders_.size(); ++i) {
      collector.Collect(folders_[i],
                        NewSince(before_[i], EntriesIn(folders_[i])));
    }
    collector.LiftGraphs();
  }

  // Files that are new below the root, now.
  std::vector<std::string> New() const {
    return NewSince(root_before_, FilesBelow(places_.root));
  }

  // A link to a run elsewhere counts as what it leads to.
  size_t Count(const std::vector<std::string>& news,
               const std::string& folder) const {
    const std::string prefix = folder.substr(places_.root.size() + 1) + "/";
    size_t count = 0;
    for (const std::string& file : news) count += file.starts_with(prefix);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (entry.is_symlink()) count += FilesBelow(entry.path()).size();
    }
    return count;
  }

  bool HadGraphs() const {
    const std::string prefix =
        places_.graph.substr(places_.root.size() + 1) + "/";
    return std::ranges::any_of(root_before_, [&](const auto& entry) {
      return entry.first.starts_with(prefix);
    });
  }

 private:
  CapturePlaces places_;
  std::vector<std::string> folders_;
  std::vector<Snapshot> before_;
  Snapshot root_before_;
};

Result<int> RunTimed(const CaptureOptions& options, double& seconds) {
  const auto start = std::chrono::steady_clock::now();
  Result<int> code =
      RunAttached(JobWords(options.command, CaptureEnvironment(options)));
  seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return code;
}

Result<CaptureReport> CaptureDevice(const CaptureOptions& options) {
  const CapturePlaces places = PlacesOf(options);
  const Watched watched(options);
  CaptureReport report;
  if (watched.HadGraphs() && options.kind == CaptureKind::kNpu) {
    report.notes.push_back(fmt::format(
        "{} has graphs of an earlier run already: a folder of its own for each "
        "run keeps them apart (--data)",
        places.graph));
  }
  ASSIGN_OR_RETURN(report.exit, RunTimed(options, report.seconds));
  watched.Collect(report.notes);
  const std::vector<std::string> news = watched.New();
  const auto came = [&](const char* what, const std::string& folder) {
    report.came.push_back({what, folder, watched.Count(news, folder)});
  };
  if (options.kind == CaptureKind::kNpu) came("dumps", places.dump);
  came("overflow records and dumps", places.overflow);
  came("graphs", places.graph);
  const bool fused =
      std::ranges::find(news, "fusion/fusion_result.json") != news.end();
  report.came.push_back({"fusion_result.json", places.fusion, fused});
  return report;
}

Result<CaptureReport> CaptureTensorFlow(const CaptureOptions& options) {
  if (PythonPackageFolder().empty()) {
    return NotFound("Assay's Python folder is not beside the program")
        .Hint("'make install' puts it there; --interactive does without");
  }
  const CapturePlaces places = PlacesOf(options);
  const Snapshot before = FilesBelow(places.tfdbg);
  CaptureReport report;
  ASSIGN_OR_RETURN(report.exit, RunTimed(options, report.seconds));
  const std::vector<std::string> news =
      NewSince(before, FilesBelow(places.tfdbg));
  RETURN_IF_ERROR(WriteTfdbgArrays(places, RunsOf(news), report));
  return report;
}

}  // namespace

bool CaptureReport::nothing() const {
  return std::ranges::none_of(came, [](const Came& c) { return c.files > 0; });
}

Result<CaptureReport> Capture(const CaptureOptions& options) {
  RETURN_IF_ERROR(PrepareCapture(options));
  if (options.kind == CaptureKind::kTf) return CaptureTensorFlow(options);
  return CaptureDevice(options);
}

}  // namespace assay
