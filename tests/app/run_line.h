#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/command.h"

namespace assay {

struct Ran {
  int exit = 0;
  std::string out, err;
};

// Runs the program in this process.
inline Ran RunWords(std::vector<std::string> words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit = RunProgram(std::move(words));
  std::fflush(stdout);
  std::fflush(stderr);
  return {exit, testing::internal::GetCapturedStdout(),
          testing::internal::GetCapturedStderr()};
}

// Words are separated by spaces; G, T and D stand for folders.
struct Folders {
  std::string golden, target, dir;
};
inline Ran RunLine(const std::string& line, const Folders& folders) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    if (word == "G") word = folders.golden;
    if (word == "T") word = folders.target;
    if (word.starts_with("D/")) word = folders.dir + word.substr(1);
    words.push_back(word);
  }
  return RunWords(words);
}

}  // namespace assay
