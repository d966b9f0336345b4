#include "legacy/python_calls.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/child_lines.h"
#include "base/child_process.h"
#include "executors/python_words.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr double kSeconds = 60;  // that one call may take
constexpr int kMostHangs = 2;    // that a script is forgiven

double SecondsOfCall() {
  const char* text = getenv("ASSAY_SCRIPT_SECONDS");
  const double seconds = text == nullptr ? 0 : strtod(text, nullptr);
  return seconds > 0 ? seconds : kSeconds;
}

std::vector<std::string> WordsOf(const PythonDriver& driver) {
  std::vector<std::string> words = {"-c", std::string(driver.program)};
  words.insert(words.end(), driver.arguments.begin(), driver.arguments.end());
  return PythonWords(std::move(words));
}

}  // namespace

Result<ScratchFolder> ScratchFolder::Make() {
  std::string path = (fs::temp_directory_path() / "assay-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    return IoError("cannot make a folder for the scripts' arrays").At(path);
  }
  return ScratchFolder(std::move(path));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void ScratchFolder::Clear() const {
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(path_, ignored)) {
    fs::remove(file.path(), ignored);
  }
}

Status CheckPython() {
  const auto done = RunChild(PythonWords({"-c", "import numpy"}), "");
  if (!done || done->exit == 127) {
    return Unsupported("scripts of users need python3, and there is none")
        .Hint("leave them out, or install Python with NumPy");
  }
  if (done->exit == 0) return Done{};
  return Unsupported("scripts of users need NumPy, and Python has none")
      .Hint("leave them out, or install numpy");
}

bool PythonCalls::IsGivenUp(size_t script) const {
  const auto found = hangs_.find(script);
  return found != hangs_.end() && found->second >= kMostHangs;
}

// Answers until the process stops giving any: at least one is added.
void PythonCalls::AskSome(std::span<const PythonRequest> requests,
                          std::vector<PythonAnswer>& answers) {
  std::string input;
  for (const PythonRequest& request : requests) {
    if (!IsGivenUp(request.script)) input += request.line + "\n";
  }
  auto child = ChildLines::Start(WordsOf(driver_), input);
  const std::atomic<bool> never = false;
  for (const PythonRequest& request : requests) {
    if (IsGivenUp(request.script)) {
      answers.push_back(
          {"", fmt::format("it took more than {} seconds {} times before",
                           SecondsOfCall(), kMostHangs)});
      continue;
    }
    auto line = child ? child->Next(SecondsOfCall(), never) : std::nullopt;
    if (line) {
      answers.push_back({*std::move(line), ""});
      continue;
    }
    const bool hangs = child && child->why() == ChildLines::End::kTimeout;
    if (hangs) ++hangs_[request.script];
    answers.push_back({"", hangs ? fmt::format("it took more than {} seconds",
                                               SecondsOfCall())
                                 : "Python ended"});
    return;
  }
}

std::vector<PythonAnswer> PythonCalls::Ask(
    std::span<const PythonRequest> requests) {
  std::vector<PythonAnswer> answers;
  while (answers.size() < requests.size()) {
    AskSome(requests.subspan(answers.size()), answers);
  }
  return answers;
}

std::vector<PythonAnswer> AskPython(const PythonDriver& driver,
                                    std::span<const std::string> lines) {
  std::vector<PythonRequest> requests;
  for (const std::string& line : lines) requests.push_back({line});
  return PythonCalls(driver).Ask(requests);
}

}  // namespace assay
