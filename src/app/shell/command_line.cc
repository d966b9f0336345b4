#include "app/shell/command_line.h"

#include <cstdlib>

#include "base/text.h"

namespace assay {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  size_t at() const { return at_; }
  bool open_quote() const { return quote_ != 0; }

  // Reads up to the end of the command; false if there was nothing.
  bool NextCommand(TypedCommand& command) {
    SkipSpace("; \t\r\n");
    while (!done() && text_[at_] == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      SkipSpace("; \t\r\n");
    }
    const size_t begin = at_;
    while (NextWord()) command.words.push_back(std::move(word_));
    command.text = Trim(text_.substr(begin, at_ - begin));
    return !command.words.empty();
  }

  // The next word of this command; false at its end.
  bool NextWord() {
    SkipSpace(" \t\r");
    begin_ = at_;
    word_.clear();
    for (; !done() && (quote_ != 0 || !Ends(text_[at_])); ++at_) Take();
    return at_ > begin_;
  }

  size_t begin() const { return begin_; }
  const std::string& word() const { return word_; }

 private:
  static bool Ends(char c) {
    return std::string_view("; \t\r\n").find(c) != std::string_view::npos;
  }
  void SkipSpace(std::string_view what) {
    at_ = std::min(text_.find_first_not_of(what, at_), text_.size());
  }
  void Take() {
    const char c = text_[at_];
    if (quote_ != 0 && c == quote_) {
      quote_ = 0;
    } else if (quote_ == 0 && (c == '\'' || c == '"')) {
      quote_ = c;
    } else if (c == '\\' && quote_ != '\'' && at_ + 1 < text_.size()) {
      word_ += text_[++at_];
    } else if (c == '~' && at_ == begin_ && text_.substr(at_ + 1, 1) == "/") {
      const char* home = std::getenv("HOME");
      word_ += home != nullptr ? home : "~";
    } else {
      word_ += c;
    }
  }

  std::string_view text_;
  size_t at_ = 0, begin_ = 0;
  std::string word_;
  char quote_ = 0;
};

}  // namespace

Result<std::vector<TypedCommand>> SplitCommands(std::string_view text) {
  std::vector<TypedCommand> commands;
  Reader reader(text);
  TypedCommand command;
  while (reader.NextCommand(command)) {
    commands.push_back(std::move(command));
    command = {};
  }
  if (reader.open_quote()) return Usage("a quote is not closed");
  return commands;
}

OpenWord LastWord(std::string_view line) {
  Reader reader(line);
  OpenWord last;
  while (reader.NextWord()) {
    if (reader.done()) {
      last.begin = reader.begin();
      last.text = reader.word();
      return last;
    }
    last.before.push_back(reader.word());
  }
  last.begin = line.size();
  if (reader.done()) return last;
  const size_t next = reader.at() + 1;  // behind a ';'
  last = LastWord(line.substr(next));
  last.begin += next;
  return last;
}

std::string Escaped(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (std::string_view(" \t;'\"\\#~").find(c) != std::string_view::npos) {
      text += '\\';
    }
    text += c;
  }
  return text;
}

}  // namespace assay
