#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/config.h"

namespace assay {

enum class CaptureKind : uint8_t { kNpu, kOverflow, kTf };

struct CaptureOptions {
  CaptureKind kind = CaptureKind::kNpu;
  std::vector<std::string> command;
  std::string root;                  // precision_data; empty: as configured
  std::vector<std::string> look_in;  // folders the job may write to, besides
  bool autofuse = false;
  std::string fusion;  // "off", a switch file, or empty
  std::string steps;   // "0|5|10"; empty: as configured
  Config config;
};

// Where things lie below the root.
struct CapturePlaces {
  std::string root;
  std::string graph, dump;  // of this run of the device
  std::string overflow, fusion;
  std::string tfdbg, golden;  // raw dumps of TensorFlow's debugger, arrays
};
CapturePlaces PlacesOf(const CaptureOptions& options);

struct Variable {
  std::string name, value;
};
// What the job's environment gets.
std::vector<Variable> CaptureEnvironment(const CaptureOptions& options);
// What it gets if it is to stop at tfdbg's prompt.
std::vector<Variable> PromptEnvironment();
// The words that start a job in such an environment. One that is a single word,
// and no file, is a line for the shell.
std::vector<std::string> JobWords(const std::vector<std::string>& job,
                                  const std::vector<Variable>& environment);

// Makes the folders, and the switch file that --fusion off needs.
Status PrepareCapture(const CaptureOptions& options);

struct CaptureReport {
  int exit = 0;  // of the job
  double seconds = 0;
  struct Came {
    std::string what, folder;
    size_t files = 0;
  };
  std::vector<Came> came;            // all kinds that could have come
  std::vector<std::string> tensors;  // TensorFlow's, as `lt` lists them
  std::vector<std::string> notes;
  bool nothing() const;
};

// Runs the job and puts what it wrote into its places.
Result<CaptureReport> Capture(const CaptureOptions& options);

}  // namespace assay
