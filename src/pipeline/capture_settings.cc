// The places and the environment of a captured job.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/output_file.h"
#include "executors/python_words.h"
#include "pipeline/capture.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAllOff =
    "{\n"
    "  \"Switch\": {\n"
    "    \"GraphFusion\": {\"ALL\": \"off\"},\n"
    "    \"UBFusion\": {\"ALL\": \"off\"}\n"
    "  }\n"
    "}\n";

std::string Absolute(const std::string& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

std::string OwnSwitchFile(const CapturePlaces& places) {
  return places.fusion + "/fusion_off.cfg";
}

// The switch file that the job is told; empty: none.
std::string SwitchFile(const CaptureOptions& options) {
  if (options.fusion == "off") return OwnSwitchFile(PlacesOf(options));
  if (!options.fusion.empty()) return options.fusion;
  const std::string named = options.config.Text("FUSION_SWITCH_FILE");
  std::error_code ignored;
  return fs::is_regular_file(named, ignored) ? named : "";
}

// `front` and `back` around what PYTHONPATH is already.
std::string PythonPath(const std::string& front, const std::string& back) {
  const char* now = std::getenv("PYTHONPATH");
  std::string path = front;
  for (const std::string& part : {std::string(now ? now : ""), back}) {
    if (part.empty()) continue;
    path += path.empty() ? part : ":" + part;
  }
  return path;
}

void AddDevice(const CaptureOptions& options, std::vector<Variable>& out) {
  const CapturePlaces places = PlacesOf(options);
  const Config& config = options.config;
  const bool overflow = options.kind == CaptureKind::kOverflow;
  if (overflow) {
    out.push_back({"PRECISION_TOOL_OVERFLOW", "True"});
  } else {
    out.push_back({"DUMP_GE_GRAPH", config.Text("DUMP_GE_GRAPH")});
    out.push_back({"DUMP_GRAPH_LEVEL", config.Text("DUMP_GRAPH_LEVEL")});
    out.push_back({"DUMP_GRAPH_PATH", Absolute(places.graph)});
    out.push_back({"PRECISION_TOOL_DUMP", "True"});
  }
  if (options.autofuse) {
    for (const char* name :
         {"EXPERIMENTAL_ENABLE_AUTOFUSE", "EXPERIMENTAL_LOWERING_REDUCE",
          "EXPERIMENTAL_LOWERING_CONCAT"}) {
      out.push_back({name, "1"});
    }
  }
  // These are for python/assay/tf_config.py inside the job.
  out.push_back(
      {"ASSAY_DUMP_PATH", Absolute(overflow ? places.overflow : places.dump)});
  out.push_back({"ASSAY_DUMP_STEP", options.steps});
  out.push_back({"ASSAY_OP_DEBUG_LEVEL", config.Text("OP_DEBUG_LEVEL")});
  out.push_back({"ASSAY_SEED", config.Text("DUMP_SEED")});
  if (const std::string file = SwitchFile(options); !file.empty()) {
    out.push_back({"ASSAY_FUSION_SWITCH_FILE", Absolute(file)});
  }
  if (const std::string home = PythonPackageFolder(); !home.empty()) {
    out.push_back(
        {"PYTHONPATH", PythonPath("", home + ":" + home + "/compat")});
  }
}

void AddTensorFlow(const CaptureOptions& options, std::vector<Variable>& out) {
  out.push_back({"ASSAY_TFDBG_FOLDER", Absolute(PlacesOf(options).tfdbg)});
  out.push_back({"ASSAY_TFDBG_STEPS", options.steps});
  out.push_back(
      {"PYTHONPATH", PythonPath(PythonPackageFolder() + "/assay/launch", "")});
}

// The words that start a command; one that is a single word, and no file, is a
// line for the shell.
std::vector<std::string> CommandWords(const std::vector<std::string>& command) {
  std::error_code ignored;
  if (command.size() != 1 || fs::exists(command[0], ignored)) return command;
  return {"sh", "-c", command[0]};
}

}  // namespace

CapturePlaces PlacesOf(const CaptureOptions& options) {
  CapturePlaces places;
  places.root = options.root.empty() ? options.config.Text("DATA_ROOT_DIR")
                                     : options.root;
  if (places.root.empty()) places.root = ".";  // never the root of the disk
  // A run with other fusions is the second one, beside the first.
  const std::string run = fmt::format("{}/npu/debug_{}", places.root,
                                      options.fusion.empty() ? 0 : 1);
  places.graph = run + "/graph";
  places.dump = run + "/dump";
  places.overflow = places.root + "/overflow/dump";
  places.fusion = places.root + "/fusion";
  places.tfdbg = places.root + "/tf/tf_debug";
  places.golden = places.root + "/tf/dump";
  return places;
}

std::vector<Variable> CaptureEnvironment(const CaptureOptions& options) {
  CaptureOptions full = options;
  if (full.steps.empty()) full.steps = full.config.Text("TF_DUMP_STEP");
  std::vector<Variable> out;
  if (full.kind == CaptureKind::kTf) {
    AddTensorFlow(full, out);
  } else {
    AddDevice(full, out);
  }
  return out;
}

// Line editors print escapes on terminals that know them; an Estimator's hook
// asks for a whole screen unless it is told otherwise.
std::vector<Variable> PromptEnvironment() {
  std::vector<Variable> out = {{"TERM", "dumb"}};
  const std::string home = PythonPackageFolder();
  if (home.empty()) return out;
  out.push_back({"ASSAY_TFDBG_UI", "readline"});
  out.push_back({"PYTHONPATH", PythonPath(home + "/assay/launch", "")});
  return out;
}

std::vector<std::string> JobWords(const std::vector<std::string>& job,
                                  const std::vector<Variable>& environment) {
  std::vector<std::string> words = {"env"};
  for (const Variable& variable : environment) {
    words.push_back(fmt::format("{}={}", variable.name, variable.value));
  }
  const std::vector<std::string> command = CommandWords(job);
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Status PrepareCapture(const CaptureOptions& options) {
  const CapturePlaces places = PlacesOf(options);
  std::vector<std::string> folders = {places.graph, places.dump,
                                      places.overflow, places.fusion};
  if (options.kind == CaptureKind::kTf) folders = {places.tfdbg, places.golden};
  for (const std::string& folder : folders) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
      return IoError("cannot make the folder: {}", failed.message()).At(folder);
    }
  }
  if (options.fusion.empty()) return Done{};
  if (options.fusion == "off") {
    ASSIGN_OR_RETURN(OutputFile file,
                     OutputFile::Create(OwnSwitchFile(places)));
    RETURN_IF_ERROR(file.Append(kAllOff));
    return file.Commit();
  }
  std::error_code ignored;
  if (fs::is_regular_file(options.fusion, ignored)) return Done{};
  return NotFound("no such fusion switch file")
      .At(options.fusion)
      .Hint("'off' switches every fusion off");
}

}  // namespace assay
