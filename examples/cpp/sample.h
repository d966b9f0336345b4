// What the samples share.
//   sampleN MODEL FOLDER [EXECUTOR]
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "assay/model.h"

struct Command {
  std::string model, folder, executor;
};

inline Command ReadCommand(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} MODEL FOLDER [EXECUTOR]\n", argv[0]);
    std::exit(2);
  }
  return {argv[1], argv[2], argc > 3 ? argv[3] : "onnxruntime"};
}

// The value, or the end of the program with the three parts of the error.
template <typename T>
T Must(assay::Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "{}", result.error().Text());
  std::exit(2);
}

inline assay::Model OpenModel(const Command& command) {
  assay::Model model =
      Must(assay::Model::Open(command.model, command.executor));
  model.inputs().dims = {"batch=2"};
  return model;
}

inline void Print(const assay::DumpReport& report) {
  for (size_t i = 0; i < report.taps.size(); ++i) {
    fmt::print("{} {}\n", report.names[i],
               report.taps[i].error ? report.taps[i].error->what
                                    : assay::ToText(report.taps[i].shape));
  }
}
