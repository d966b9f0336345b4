// The module that knows libedit; nothing else does.
#include <fcntl.h>
#include <fmt/format.h>
#include <histedit.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <filesystem>

#include "app/shell/line_editor.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int kRemembered = 1000;
constexpr size_t kListed = 200;
constexpr char kCtrlC = 3, kCtrlD = 4;

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

unsigned char Insert(EditLine* edit, const EditorSetup& setup,
                     std::string_view typed, const Completion& found) {
  const std::string common = CommonStart(found.words);
  const bool only = found.words.size() == 1;
  std::string text = setup.escape(common);
  if (only && !common.ends_with('/')) text += ' ';
  if (text == typed) return CC_REFRESH_BEEP;
  el_deletestr(edit, Characters(typed));
  return el_insertstr(edit, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

// The keys of one line. Until the editor has the terminal, the terminal makes
// a signal of Ctrl-C and a zero byte of Ctrl-D; here both are keys again, so
// that nothing typed ahead is lost.
class Keys {
 public:
  // The terminal gives single keys from now on.
  void Begin() {
    if (ioctl(STDIN_FILENO, FIONREAD, &typed_ahead_) != 0) typed_ahead_ = 0;
  }

  // One byte; false: there are no more, or a signal came and errno is EINTR.
  bool Next(char& byte) {
    ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n < 0 && errno == EAGAIN && MakeBlocking()) {
      n = read(STDIN_FILENO, &byte, 1);
    }
    if (n == 0) errno = 0;
    if (n != 1) return false;
    if (typed_ahead_ > 0) {
      --typed_ahead_;
      if (byte == 0) byte = kCtrlD;
    }
    return true;
  }

 private:
  // A program that ran from the prompt may have left it so.
  static bool MakeBlocking() {
    const int flags = fcntl(STDIN_FILENO, F_GETFL);
    return fcntl(STDIN_FILENO, F_SETFL, flags & ~O_NONBLOCK) == 0;
  }

  int typed_ahead_ = 0;
};

class LibeditEditor : public LineEditor {
 public:
  explicit LibeditEditor(const EditorSetup& setup) : setup_(setup) {
    std::setlocale(LC_CTYPE, "");
    HistEvent event;
    history_ = history_init();
    history(history_, &event, H_SETSIZE, kRemembered);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!setup_.history.empty()) {
      history(history_, &event, H_LOAD, setup_.history.c_str());
    }
    edit_ = el_init("assay", stdin, stdout, stderr);
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(
        edit_, EL_PROMPT,
        +[](EditLine* edit) { return Client(edit)->setup_.prompt.data(); });
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_HIST, history, history_);
    // Ctrl-C arrives as a key, so that it ends the line and nothing else.
    el_set(edit_, EL_SETTY, "-d", "-isig", nullptr);
    el_set(
        edit_, EL_GETCFN,
        +[](EditLine* edit, wchar_t* out) { return Client(edit)->Key(out); });
    el_set(
        edit_, EL_ADDFN, "assay-cancel", "cancel the line",
        +[](EditLine* edit, int) { return Client(edit)->Cancel(); });
    el_set(
        edit_, EL_ADDFN, "assay-complete", "complete a word",
        +[](EditLine* edit, int) { return Client(edit)->Finish(); });
    el_set(edit_, EL_BIND, "^C", "assay-cancel", nullptr);
    el_set(edit_, EL_BIND, "^I", "assay-complete", nullptr);
    el_set(edit_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }
  ~LibeditEditor() override {
    el_end(edit_);
    history_end(history_);
  }
  LibeditEditor(const LibeditEditor&) = delete;
  LibeditEditor& operator=(const LibeditEditor&) = delete;

  Outcome Read(std::string& line) override {
    int count = 0;
    cancelled_ = reading_ = false;
    el_resize(edit_);  // the window may have changed while a command ran
    const char* text = el_gets(edit_, &count);
    if (cancelled_) return Outcome::kCancelled;
    if (text == nullptr || count <= 0) return Outcome::kEnd;
    line.assign(text, static_cast<size_t>(count));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    if (!line.empty()) Remember(line);
    return Outcome::kLine;
  }

 private:
  // The function that libedit calls gets nothing but its own handle.
  static LibeditEditor* Client(EditLine* edit) {
    void* client = nullptr;
    el_get(edit, EL_CLIENTDATA, &client);
    return static_cast<LibeditEditor*>(client);
  }

  // One character, as libedit asks for it: 1, or 0 where there are no more.
  int Key(wchar_t* out) {
    if (!reading_) {
      reading_ = true;
      keys_.Begin();
      if (setup_.interrupted()) return *out = kCtrlC, 1;
    }
    std::mbstate_t state = {};
    for (char byte = 0; true;) {
      if (!keys_.Next(byte)) {
        if (errno != EINTR) return 0;
        if (setup_.interrupted()) return *out = kCtrlC, 1;
        continue;
      }
      const size_t used = std::mbrtowc(out, &byte, 1, &state);
      if (used <= 1) return 1;
      if (used == static_cast<size_t>(-1)) state = {};  // not a character
    }
  }

  unsigned char Cancel() {
    cancelled_ = true;
    fmt::print("^C\n");
    return CC_NEWLINE;
  }

  unsigned char Finish() {
    const LineInfo* info = el_line(edit_);
    const std::string line(info->buffer, info->cursor);
    const Completion found = setup_.complete(line);
    if (found.words.empty()) return CC_REFRESH_BEEP;
    const unsigned char done =
        Insert(edit_, setup_, line.substr(found.begin), found);
    if (done != CC_REFRESH_BEEP || found.words.size() == 1) return done;
    List(found.words);
    return CC_REDISPLAY;
  }

  void Remember(const std::string& line) {
    HistEvent event;
    history(history_, &event, H_ENTER, line.c_str());
    if (setup_.history.empty()) return;
    std::error_code ignored;  // no history is no reason to stop
    fs::create_directories(fs::path(setup_.history).parent_path(), ignored);
    history(history_, &event, H_SAVE, setup_.history.c_str());
  }

  EditorSetup setup_;
  EditLine* edit_ = nullptr;
  History* history_ = nullptr;
  Keys keys_;
  bool cancelled_ = false;
  bool reading_ = false;  // the terminal is the editor's
};

}  // namespace
}  // namespace assay

extern "C" assay::LineEditor* AssayMakeLineEditor(
    const assay::EditorSetup* setup) {
  return new assay::LibeditEditor(*setup);
}
