// ONNX Runtime, opened at run time. Taps are marked as outputs of the model, as
// many at a time as the memory allows.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <mutex>
#include <unordered_map>

#include "base/parallel.h"
#include "base/program_path.h"
#include "base/text.h"
#include "codecs/onnx_type.h"
#include "executors/executor.h"
#include "executors/ort_node.h"
#include "executors/ort_options.h"
#include "executors/ort_session.h"
#include "executors/tap_sizes.h"
#include "executors/tensor_file.h"
#include "graphs/onnx_cut.h"
#include "graphs/onnx_save.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSmall = 32 << 20;  // bytes of a model

// The runtime's own words need a place: which step failed. `final` errors are
// of the model, others of one run.
Error Final(const Error& error, std::string_view doing) {
  return Corrupt("ONNX Runtime cannot {}: {}", doing, error.what);
}

// Whole numbers of a few bits have no file of their own: they become bytes, and
// keep their values.
struct Packed {
  std::string_view name;
  int bits;
  DType wide;
};
constexpr Packed kPacked[] = {{"uint4", 4, DType::kU8},
                              {"int4", 4, DType::kI8},
                              {"uint2", 2, DType::kU8},
                              {"int2", 2, DType::kI8}};

std::string Widened(const Packed& packed, const char* data, uint64_t count) {
  const int per_byte = 8 / packed.bits, spare = 8 - packed.bits;
  std::string out;
  for (uint64_t i = 0; i < count; ++i) {  // the low bits are the first
    const int shift = static_cast<int>(i % per_byte) * packed.bits;
    const auto high = static_cast<uint8_t>(
        static_cast<uint8_t>(data[i / per_byte]) >> shift << spare);
    out += packed.wide == DType::kU8
               ? static_cast<char>(high >> spare)
               : static_cast<char>(static_cast<int8_t>(high) >> spare);
  }
  return out;
}

// Loaded cuts of models. What is there stays: taps come in the same order in
// every request, and throwing out the oldest would throw out the next.
struct KeptModels final : Kept {
  static constexpr size_t kMostThreads = 2048;  // each model has its own

  std::unordered_map<std::string, ort::LoadedModel> models;
  uint64_t bytes = 0;  // of their files

  bool HasRoom(uint64_t more, uint64_t most) const {
    return bytes + more <= most &&
           models.size() * static_cast<size_t>(DefaultThreads()) < kMostThreads;
  }
};

class OrtRun {
 public:
  OrtRun(const RunRequest& request, ort::Options options, ort::Library library,
         Answers& answers)
      : request_(request),
        options_(std::move(options)),
        library_(std::move(library)),
        answers_(answers) {}

  Status LoadInputs() {
    for (const RunRequest::Input& input : request_.inputs) {
      ASSIGN_OR_RETURN(TensorBytes bytes,
                       ReadTensorFile(request_.folder + "/" + input.file));
      const OnnxType* type = FindOnnxType(bytes.dtype);
      if (type == nullptr) {
        return Unsupported("input '{}' has type {}, which ONNX lacks",
                           input.name, Name(bytes.dtype));
      }
      values_.push_back(std::move(bytes));
      feeds_.push_back({.name = input.name,
                        .type = static_cast<int>(type->number),
                        .shape = values_.back().shape});
    }
    for (size_t i = 0; i < feeds_.size(); ++i)
      feeds_[i].bytes = values_[i].bytes;
    return Done{};
  }

  // Loading takes one core: a small model is loaded beside that with taps.
  void LoadAhead() {
    std::error_code failed;
    const uint64_t size = fs::file_size(request_.model, failed);
    if (failed || size > kSmall || request_.outputs.empty()) return;
    plain_ = std::async(std::launch::async, [this] { return LoadPlain(); });
  }

  // The untouched model.
  Status RunPlain() {
    if (request_.outputs.empty()) return Done{};
    auto model = plain_.valid() ? plain_.get() : LoadPlain();
    if (!model) return Final(model.error(), "load the model");
    return Fetch(*model, All(request_.outputs), true);
  }

  // Taps of the model as it is, marked.
  Status RunMarked() {
    std::vector<size_t> places;
    for (size_t i = 0; i < request_.taps.size(); ++i) {
      if (request_.taps[i].model.empty()) places.push_back(i);
    }
    if (places.empty()) return Done{};
    ASSIGN_OR_RETURN(const onnx::OnnxFile file,
                     onnx::OnnxFile::Open(request_.model));
    auto model = LoadMarked(file, places, options_.settings);
    if (!model) {
      Error why = Final(model.error(), "load the model with its taps");
      why.what = ort::WithNode(file, why.what);
      return std::move(why).Hint(
          "--isolate-prefix gets the taps before what it refuses");
    }
    RETURN_IF_ERROR(NoteSizes(*model));
    if (options_.settings.level > 0) RETURN_IF_ERROR(AskForSizes(file, places));
    const std::vector<std::string> names = NamesOf(request_.taps, places);
    sizes_.GuessFrom(names);
    if (sizes_.Batch(names) == places.size()) {
      return Fetch(*model, places, false);
    }
    model = Internal("released");  // before the next one is loaded
    return RunBatches(file, places, names);
  }

  // Taps with a model each; one that fails leaves the others. Of several that
  // share the only model any may be the one: that is the run's failure.
  Status RunCut(KeptModels& kept) {
    size_t models = 0, loaded = 0;
    for (size_t i = 0; i < request_.taps.size();) {
      const std::string& path = request_.taps[i].model;
      std::vector<size_t> places;
      for (; i < request_.taps.size() && request_.taps[i].model == path; ++i) {
        places.push_back(i);
      }
      if (path.empty()) continue;
      ++models;
      loaded += kept.models.contains(request_.taps[places[0]].session);
      Status status = RunOneCut(places, kept);
      if (status) continue;
      if (places.size() > 1 && places.size() == request_.taps.size()) {
        return status;
      }
      for (const size_t place : places) {
        answers_.Send({.place = place, .error = status.error()});
      }
    }
    if (loaded > 0) {
      answers_.Note(fmt::format("{} of {} loaded already", loaded,
                                Counted(models, "cut model")));
    }
    return Done{};
  }

  Texts Facts() const {
    return {{"version", library_.version},
            {"library", library_.path},
            {"provider", "CPUExecutionProvider"},
            {"level", std::to_string(options_.settings.level)},
            {"threads", options_.settings.threads == 0
                            ? fmt::format("all ({})", DefaultThreads())
                            : std::to_string(options_.settings.threads)},
            {"denormals", options_.settings.flush_denormals ? "zero" : "keep"}};
  }

 private:
  // Loaded earlier, or now; kept where the request says what it is.
  Status RunOneCut(const std::vector<size_t>& places, KeptModels& kept) {
    const RunRequest::Tensor& tap = request_.taps[places[0]];
    const auto at = kept.models.find(tap.session);
    if (at != kept.models.end()) return Fetch(at->second, places, false);
    ASSIGN_OR_RETURN(
        ort::LoadedModel model,
        ort::LoadedModel::FromFile(library_, tap.model, options_.settings));
    RETURN_IF_ERROR(Fetch(model, places, false));
    std::error_code failed;
    const uint64_t size = fs::file_size(tap.model, failed);
    if (tap.session.empty() || failed ||
        !kept.HasRoom(size, request_.max_memory)) {
      return Done{};
    }
    kept.bytes += size;
    kept.models.emplace(tap.session, std::move(model));
    return Done{};
  }

  Result<ort::LoadedModel> LoadPlain() const {
    return ort::LoadedModel::FromFile(library_, request_.model,
                                      options_.settings);
  }

  static std::vector<size_t> All(const std::vector<RunRequest::Tensor>& list) {
    std::vector<size_t> places(list.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = i;
    return places;
  }

  static std::vector<std::string> NamesOf(
      const std::vector<RunRequest::Tensor>& list,
      const std::vector<size_t>& places) {
    std::vector<std::string> names;
    for (const size_t place : places) names.push_back(list[place].name);
    return names;
  }

  // With the shapes of the inputs told, the runtime knows most other shapes.
  std::vector<onnx::FixedInput> Fixed(const onnx::OnnxFile& file) const {
    std::vector<onnx::FixedInput> fixed;
    for (const ort::Feed& feed : feeds_) {
      fixed.push_back({file.model().names.Find(feed.name), feed.shape});
    }
    return fixed;
  }

  // An optimiser would use the shapes too, so the model stays as it is for one.
  Result<ort::LoadedModel> LoadMarked(const onnx::OnnxFile& file,
                                      const std::vector<size_t>& places,
                                      const ort::Settings& settings) const {
    std::vector<NameId> names;
    for (const size_t place : places) {
      ASSIGN_OR_RETURN(const NameId name,
                       onnx::FindTensor(file, request_.taps[place].name));
      names.push_back(name);
    }
    const std::string bytes = onnx::MarkOutputs(
        file, names,
        settings.level > 0 ? std::vector<onnx::FixedInput>() : Fixed(file));
    if (file.ExternalFiles().empty()) {
      return ort::LoadedModel::FromBytes(library_, bytes, settings);
    }
    const std::string folder = fmt::format("{}/.marked", request_.folder);
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    RETURN_IF_ERROR(onnx::SaveModel(file, bytes, folder + "/model.onnx"));
    auto model =
        ort::LoadedModel::FromFile(library_, folder + "/model.onnx", settings);
    fs::remove_all(folder, ignored);
    return model;
  }

  Status NoteSizes(const ort::LoadedModel& model) {
    ASSIGN_OR_RETURN(const std::vector<ort::OutputType> outputs,
                     model.Outputs());
    sizes_.Note(outputs);
    return Done{};
  }

  // Only what is not optimised may be told the shapes: it is loaded, not run.
  Status AskForSizes(const onnx::OnnxFile& file,
                     const std::vector<size_t>& places) {
    ort::Settings plain = options_.settings;
    plain.level = 0;
    auto model = LoadMarked(file, places, plain);
    if (!model) return Final(model.error(), "load the model with its taps");
    return NoteSizes(*model);
  }

  Status RunBatches(const onnx::OnnxFile& file,
                    const std::vector<size_t>& places,
                    const std::vector<std::string>& names) {
    size_t runs = 0;
    for (size_t at = 0; at < places.size(); ++runs) {
      const size_t n = sizes_.Batch(std::span(names).subspan(at));
      const auto part_of = std::span(places).subspan(at, n);
      const std::vector<size_t> batch(part_of.begin(), part_of.end());
      auto part = LoadMarked(file, batch, options_.settings);
      if (!part) return Final(part.error(), "load the model with some taps");
      RETURN_IF_ERROR(Fetch(*part, batch, false));
      at += n;
    }
    answers_.Note(fmt::format("taps in {}{}", Counted(runs, "run"),
                              options_.settings.level > 0
                                  ? ", each optimised around its own taps"
                                  : ""));
    return Done{};
  }

  Status Fetch(const ort::LoadedModel& model, const std::vector<size_t>& places,
               bool output) {
    const auto& list = output ? request_.outputs : request_.taps;
    const std::vector<std::string> names = NamesOf(list, places);
    ASSIGN_OR_RETURN(std::vector<ort::Fetched> values,
                     model.Run(feeds_, names));
    sizes_.LearnFrom(values, names);
    std::mutex mutex;
    ParallelFor(values.size(), DefaultThreads(), [&](size_t i, size_t) {
      RunTensor tensor = Write(values[i], list[places[i]].file);
      tensor.output = output;
      tensor.place = places[i];
      values[i].value.reset();  // its memory is free for the rest
      const std::lock_guard lock(mutex);
      answers_.Send(tensor);
    });
    return Done{};
  }

  RunTensor Write(const ort::Fetched& value, const std::string& file) const {
    RunTensor out;
    const OnnxType* type = FindOnnxType(static_cast<uint64_t>(value.type));
    DType dtype =
        type == nullptr ? DType::kOpaque : type->dtype.value_or(DType::kOpaque);
    const uint64_t count = ElementCount(value.shape).value_or(0);
    std::string_view bytes(value.data, ByteCount(dtype, count).value_or(0));
    std::string widened;
    const auto packed = std::ranges::find(
        kPacked, type == nullptr ? "" : type->name, &Packed::name);
    if (value.tensor && packed != std::end(kPacked)) {
      dtype = packed->wide;
      bytes = widened = Widened(*packed, value.data, count);
    }
    if (!value.tensor || dtype == DType::kOpaque) {
      out.error = Unsupported("its values are no numbers that can be kept: {}",
                              !value.tensor ? "a sequence, a map or nothing"
                              : type        ? type->name
                                            : "?");
      return out;
    }
    auto written =
        WriteTensorFile(request_.folder, file, dtype, value.shape, bytes);
    if (!written) out.error = written.error();
    if (written) out.file = *std::move(written);
    out.dtype = Name(dtype);
    out.shape = value.shape;
    return out;
  }

  const RunRequest& request_;
  const ort::Options options_;
  const ort::Library library_;
  Answers& answers_;
  std::vector<TensorBytes> values_;
  std::vector<ort::Feed> feeds_;
  ort::TapSizes sizes_{request_.max_memory};
  std::future<Result<ort::LoadedModel>> plain_;
};

Result<Texts> RunOrt(const RunRequest& request, Answers& answers,
                     std::unique_ptr<Kept>& kept) {
  if (kept == nullptr) kept = std::make_unique<KeptModels>();
  ASSIGN_OR_RETURN(ort::Options options, ort::ReadOptions(request));
  ASSIGN_OR_RETURN(ort::Library library, ort::OpenLibrary(options.library));
  OrtRun run(request, std::move(options), std::move(library), answers);
  RETURN_IF_ERROR(run.LoadInputs());
  run.LoadAhead();
  RETURN_IF_ERROR(run.RunMarked());
  RETURN_IF_ERROR(run.RunCut(static_cast<KeptModels&>(*kept)));
  RETURN_IF_ERROR(run.RunPlain());
  return run.Facts();
}

// In huge pages the memory for all taps costs a third.
Result<std::vector<std::string>> Start(const std::string&) {
  std::vector<std::string> words = {ProgramPath(), "__run", "onnxruntime"};
  if (std::getenv("GLIBC_TUNABLES") == nullptr) {
    words.insert(words.begin(),
                 {"env", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"});
  }
  return words;
}

ExecutorState Check() {
  const auto library = ort::OpenLibrary("");
  if (!library) return {.why = library.error().what};
  return {.usable = true,
          .version = fmt::format("{} of {}", library->version, library->path)};
}

}  // namespace

extern constinit const Executor kOnnxRuntime = {
    .name = "onnxruntime",
    .summary =
        "ONNX Runtime on the CPU; level=0|1|2|99 threads=N lib=PATH "
        "denormals=keep|zero deterministic=0|1",
    .start = Start,
    .run = RunOrt,
    .check = Check,
    .knows_shapes = true,
    .stays = true,
};

}  // namespace assay
