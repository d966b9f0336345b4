#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// What could stand where the cursor is: whole words, instead of what the line
// has from `begin` on.
struct Completion {
  size_t begin = 0;
  std::vector<std::string> words;  // sorted, each once
};
using Complete = std::function<Completion(const std::string& line)>;

// Reads lines from a terminal, with editing, history and completion.
class LineEditor {
 public:
  // `history` is a file; empty: nothing is kept.
  LineEditor(std::string prompt, std::string history, Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Outcome { kLine, kCancelled, kEnd };
  // The next line, without its end; Ctrl-C cancels it, Ctrl-D on an empty one
  // is the end.
  Outcome Read(std::string& line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Where the prompt's history is kept: $ASSAY_HISTORY, else below
// $XDG_STATE_HOME, else below the home folder.
std::string HistoryFile();

}  // namespace assay
