#include "app/shell/line_editor.h"

#include <fmt/format.h>
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "app/shell/command_line.h"

namespace assay {

struct LineEditor::State {
  std::string prompt, path;
  Complete complete;
  EditLine* edit = nullptr;
  History* history = nullptr;
  bool cancelled = false;
};

namespace {

namespace fs = std::filesystem;

constexpr int kRemembered = 1000;
constexpr size_t kListed = 200;

// The function that libedit calls gets nothing but its own handle.
template <typename T>
T* ClientOf(EditLine* edit) {
  void* client = nullptr;
  el_get(edit, EL_CLIENTDATA, &client);
  return static_cast<T*>(client);
}

std::string CommonStart(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::ranges::mismatch(common, word);
    common.erase(end, common.end());
  }
  return common;
}

int Characters(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(
      text, [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

void List(const std::vector<std::string>& words) {
  fmt::print("\n");
  for (size_t i = 0; i < std::min(words.size(), kListed); ++i) {
    fmt::print("{}\n", words[i]);
  }
  if (words.size() > kListed) {
    fmt::print("… and {} more\n", words.size() - kListed);
  }
  std::fflush(stdout);
}

unsigned char Insert(EditLine* edit, std::string_view typed,
                     const Completion& found) {
  const std::string common = CommonStart(found.words);
  const bool only = found.words.size() == 1;
  std::string text = Escaped(common);
  if (only && !common.ends_with('/')) text += ' ';
  if (text == typed) return CC_REFRESH_BEEP;
  el_deletestr(edit, Characters(typed));
  return el_insertstr(edit, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

}  // namespace

LineEditor::LineEditor(std::string prompt, std::string history,
                       Complete complete)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.prompt = std::move(prompt);
  s.path = std::move(history);
  s.complete = std::move(complete);
  std::setlocale(LC_CTYPE, "");
  HistEvent event;
  s.history = history_init();
  ::history(s.history, &event, H_SETSIZE, kRemembered);
  ::history(s.history, &event, H_SETUNIQUE, 1);
  if (!s.path.empty()) ::history(s.history, &event, H_LOAD, s.path.c_str());

  s.edit = el_init("assay", stdin, stdout, stderr);
  el_set(s.edit, EL_CLIENTDATA, &s);
  el_set(
      s.edit, EL_PROMPT,
      +[](EditLine* edit) { return ClientOf<State>(edit)->prompt.data(); });
  el_set(s.edit, EL_EDITOR, "emacs");
  el_set(s.edit, EL_HIST, ::history, s.history);
  // Ctrl-C arrives as a key, so that it ends the line and nothing else.
  el_set(s.edit, EL_SETTY, "-d", "-isig", nullptr);
  el_set(
      s.edit, EL_ADDFN, "assay-cancel", "cancel the line",
      +[](EditLine* edit, int) -> unsigned char {
        ClientOf<State>(edit)->cancelled = true;
        fmt::print("^C\n");
        return CC_NEWLINE;
      });
  el_set(
      s.edit, EL_ADDFN, "assay-complete", "complete a word",
      +[](EditLine* edit, int) -> unsigned char {
        const LineInfo* info = el_line(edit);
        const std::string line(info->buffer, info->cursor);
        const Completion found = ClientOf<State>(edit)->complete(line);
        if (found.words.empty()) return CC_REFRESH_BEEP;
        const std::string typed = line.substr(found.begin);
        const unsigned char done = Insert(edit, typed, found);
        if (done != CC_REFRESH_BEEP || found.words.size() == 1) return done;
        List(found.words);
        return CC_REDISPLAY;
      });
  el_set(s.edit, EL_BIND, "^C", "assay-cancel", nullptr);
  el_set(s.edit, EL_BIND, "^I", "assay-complete", nullptr);
  el_set(s.edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
}

LineEditor::~LineEditor() {
  el_end(state_->edit);
  history_end(state_->history);
}

LineEditor::Outcome LineEditor::Read(std::string& line) {
  State& s = *state_;
  int count = 0;
  s.cancelled = false;
  const char* text = el_gets(s.edit, &count);
  if (s.cancelled) return Outcome::kCancelled;
  if (text == nullptr || count <= 0) return Outcome::kEnd;
  line.assign(text, static_cast<size_t>(count));
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  if (line.empty()) return Outcome::kLine;
  HistEvent event;
  ::history(s.history, &event, H_ENTER, line.c_str());
  if (!s.path.empty()) {
    std::error_code ignored;  // no history is no reason to stop
    fs::create_directories(fs::path(s.path).parent_path(), ignored);
    ::history(s.history, &event, H_SAVE, s.path.c_str());
  }
  return Outcome::kLine;
}

std::string HistoryFile() {
  if (const char* file = std::getenv("ASSAY_HISTORY")) return file;
  if (const char* state = std::getenv("XDG_STATE_HOME");
      state != nullptr && *state != 0) {
    return fmt::format("{}/assay/history", state);
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == 0) return "";
  return fmt::format("{}/.local/state/assay/history", home);
}

}  // namespace assay
