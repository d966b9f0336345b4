#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// What could stand where the cursor is: whole words, instead of what the line
// has from `begin` on.
struct Completion {
  size_t begin = 0;
  std::vector<std::string> words;  // sorted, each once
};
using Complete = std::function<Completion(const std::string& line)>;

struct EditorSetup {
  std::string prompt;
  std::string history;  // a file; empty: nothing is kept
  Complete complete;
  std::string (*escape)(std::string_view word) = nullptr;
  // Whether there was a Ctrl-C that no command has seen; it is forgotten then.
  std::function<bool()> interrupted;
};

// Reads lines from a terminal, with editing, history and completion.
class LineEditor {
 public:
  virtual ~LineEditor() = default;
  enum class Outcome { kLine, kCancelled, kEnd };
  // The next line, without its end; Ctrl-C cancels it, Ctrl-D on an empty one
  // is the end.
  virtual Outcome Read(std::string& line) = 0;
};

Result<std::unique_ptr<LineEditor>> OpenLineEditor(const EditorSetup& setup);

inline constexpr char kEditorModule[] = "libassay_editor.so";
inline constexpr char kEditorEntry[] = "AssayMakeLineEditor";
using EditorEntry = LineEditor* (*)(const EditorSetup*);

// Where the prompt's history is kept: $ASSAY_HISTORY, else below
// $XDG_STATE_HOME, else below the home folder.
std::string HistoryFile();

}  // namespace assay
