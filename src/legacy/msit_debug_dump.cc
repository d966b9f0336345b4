// msit debug dump: one inference of a TensorFlow model whose tensors are kept.
// The model runs in Python, by the helper assay.tf_capture.
#include <fmt/format.h>

#include <filesystem>

#include "base/attached_child.h"
#include "executors/python_words.h"
#include "legacy/legacy_tool.h"
#include "legacy/old_arguments.h"

namespace assay {
namespace {

constexpr int kTrouble = 2;

constexpr OldOption kOptions[] = {
    {"-m,--model", OldOption::kOne, "SavedModel folder or frozen .pb", true},
    {"-dp,--device-pattern", OldOption::kOne, "where it runs", true, "cpu,npu"},
    {"-i,--input", OldOption::kOne, "input files (.bin, .npy), with commas"},
    {"-is,--input-shape", OldOption::kOne, "\"name:1,128;name2:4\""},
    {"-o,--output", OldOption::kOne, "folder for the dump [./]"},
    {"--saved_model_signature", OldOption::kOne, "[serving_default]"},
    {"--saved_model_tag_set", OldOption::kOne, "[serve]"},
    {"--fusion-switch-file", OldOption::kOne, "npu: fusion switch file"},
    {"--tf-json", OldOption::kOne, "not needed here: the model says it itself"},
    {"-c,--cann-path", OldOption::kOne, "not needed here"},
    {"-d,--device", OldOption::kOne, "not needed here: the session's device"},
    {"-w,--weight", OldOption::kOne, "of Caffe, which is not read"},
    {"-dr,--dym-shape-range", OldOption::kOne, "not supported: use -is"},
    {"-ofs,--onnx-fusion-switch", OldOption::kOne, "of ONNX models"},
};

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return kTrouble;
}

bool IsOnnx(const std::string& model) { return model.ends_with(".onnx"); }

Status Check(const OldArguments& args) {
  const std::string model = args.Text("-m");
  std::error_code ignored;
  if (!std::filesystem::exists(model, ignored)) {
    return NotFound("no such model").At(model);
  }
  if (IsOnnx(model)) {
    return Unsupported("an ONNX model")
        .At(model)
        .Hint(fmt::format("assay dump onnxruntime:{} -o DIR", model));
  }
  if (args.Has("-w") || args.Has("-dr")) {
    return Unsupported("'assay debug dump' with {}",
                       args.Has("-w") ? "-w" : "-dr")
        .Hint("one shape at a time, with -is");
  }
  return Done{};
}

// --saved_model_tag_set may be the text of a list: ['serve'].
std::string Tags(std::string text) {
  std::erase_if(text, [](char c) {
    return c == '[' || c == ']' || c == '\'' || c == '"' || c == ' ';
  });
  return text;
}

std::vector<std::string> HelperWords(const OldArguments& args) {
  std::vector<std::string> words = {"-m",
                                    "assay.tf_capture",
                                    args.Text("-m"),
                                    "-o",
                                    args.Text("-o", "./"),
                                    "--device",
                                    args.Text("-dp")};
  const auto pass = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  pass("--input", args.Text("-i"));
  pass("--input-shape", args.Text("-is"));
  pass("--signature", args.Text("--saved_model_signature"));
  pass("--tags", Tags(args.Text("--saved_model_tag_set")));
  words = PythonWords(std::move(words));
  if (args.Has("--fusion-switch-file")) {
    words.insert(words.begin(),
                 {"env", fmt::format("ASSAY_FUSION_SWITCH_FILE={}",
                                     args.Text("--fusion-switch-file"))});
  }
  return words;
}

int Run(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return Say(args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp("debug dump", "Run a model and keep its tensors.",
                             kOptions));
    return 0;
  }
  if (const Status status = Check(*args); !status) return Say(status.error());
  const Result<int> code = RunAttached(HelperWords(*args));
  return code ? *code : Say(code.error());
}

}  // namespace

extern constinit const LegacyTool kDebugDump = {
    .words = "debug dump",
    .sentence = "msit: run a TensorFlow model and keep its tensors",
    .run = Run,
};

}  // namespace assay
