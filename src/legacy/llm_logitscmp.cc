// msit llm logitscmp: the logits of two models, token by token.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "legacy/legacy_tool.h"
#include "legacy/llm_logits.h"
#include "legacy/old_arguments.h"

namespace assay {
namespace {

constexpr OldOption kOptions[] = {
    {"-gp,--golden-path", OldOption::kOne,
     "folder of the reference's logits, as NAME_KEY_TOKEN.pth", true},
    {"-mp,--my-path", OldOption::kOne,
     "folder of the logits under test, with the same names", true},
    {"-cs,--cosine-similarity", OldOption::kOne, "more than this [0.999]"},
    {"-kl,--kl-divergence", OldOption::kOne, "less than this [0.0001]"},
    {"-l1,--l1-norm", OldOption::kOne, "less than this [0.01]"},
    {"-d,--dtype", OldOption::kOne, "type of the model, for the ulp [fp16]",
     false, "fp16,bf16,fp32"},
    {"-o,--output-dir", OldOption::kOne, "folder for the table [./output]"},
    {"-l,--log-level", OldOption::kOne, "what to tell [info]", false,
     "debug,info,warning,error,fatal,critical"},
};

Status ReadLimit(const OldArguments& arguments, std::string_view option,
                 double& limit) {
  if (!arguments.Has(option)) return Done{};
  const std::string text = arguments.Text(option);
  char* end = nullptr;
  limit = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && limit >= 0) return Done{};
  return Usage("{} '{}' is no limit", option, text);
}

Status Compare(const OldArguments& arguments) {
  LogitsLimits limits;
  RETURN_IF_ERROR(ReadLimit(arguments, "-cs", limits.cosine));
  RETURN_IF_ERROR(ReadLimit(arguments, "-kl", limits.divergence));
  RETURN_IF_ERROR(ReadLimit(arguments, "-l1", limits.l1));
  ASSIGN_OR_RETURN(limits.ulp, UlpOfOne(arguments.Text("-d", "fp16")));
  const LogitsSides sides = {arguments.Text("-gp"), arguments.Text("-mp")};
  for (const std::string& path : {sides.golden, sides.my}) {
    if (!std::filesystem::is_directory(path)) {
      return NotFound("no such folder").At(path);
    }
  }
  ASSIGN_OR_RETURN(const auto table, CompareLogits(sides, limits));
  ASSIGN_OR_RETURN(const std::string path,
                   WriteLogits(table, arguments.Text("-o", "./output")));
  fmt::print(stderr, "{} rows are in {}\n", table.size() - 1, path);
  return Done{};
}

int Run(const std::vector<std::string>& words) {
  constexpr std::string_view kSentence =
      "Compare the logits of two models, as msit llm logitscmp does.";
  const Result<OldArguments> arguments = ParseOldArguments(kOptions, words);
  if (!arguments) {
    fmt::print(stderr, "{}", arguments.error().Text());
    return 2;
  }
  if (arguments->wants_help()) {
    fmt::print("{}", OldHelp("llm logitscmp", kSentence, kOptions));
    return 0;
  }
  const Status done = Compare(*arguments);
  if (done) return 0;
  fmt::print(stderr, "{}", done.error().Text());
  return 1;
}

}  // namespace

extern constinit const LegacyTool kLlmLogits = {
    .words = "llm logitscmp",
    .sentence = "compare the logits of two models",
    .run = Run,
};

}  // namespace assay
