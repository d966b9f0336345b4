#pragma once

#include <string>

#include "app/shell/command_line.h"
#include "executors/executor.h"
#include "legacy/precision_tool.h"

namespace assay {

// Runs lines: commands of precision_tool, our own, and whatever else there is
// by the system's shell. Nothing that a command does ends it.
class Shell {
 public:
  // Where the working folder is: asked for, and configured. It is looked at
  // anew before each command, as a job may have written there.
  struct Roots {
    std::string asked, configured;
  };
  Shell(Prompt prompt, Roots roots);

  // All commands of a text. False: one of them was `exit`, or a script was
  // interrupted.
  bool Run(std::string_view text);
  // From the terminal, until its end.
  void Talk();
  // From the standard input, line by line.
  void ReadScript();

  // Of the last command; 130 if it was interrupted.
  int status() const { return status_; }

 private:
  int RunCommand(const TypedCommand& command);
  int RunPrompt(const PromptCommand& command, const TypedCommand& typed);
  int RunOwn(std::vector<std::string> words);
  int Help(const std::vector<std::string>& words);
  int OpenRun(const std::vector<std::string>& words);

  Prompt prompt_;
  Roots roots_;
  ExecutorPool pool_;
  int status_ = 0;
};

}  // namespace assay
