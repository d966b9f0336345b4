#pragma once

#include "app/command.h"
#include "pipeline/run_source.h"

namespace assay {

// Options of commands that run models: dump, and compare for sources of the
// form EXECUTOR:MODEL.
#define ASSAY_MODEL_OPTIONS                                                \
  {"--input", "NAME=FILE",                                                 \
   "values of a model's input; or NAME=random,seed=N,low=X,high=Y", true}, \
      {"--inputs-from", "PATH",                                            \
       "the other inputs: an earlier dump, a folder or a file [random]"},  \
      {"--dim", "NAME=N",                                                  \
       "size of an open dimension; INPUT:AXIS=N if it has no name", true}, \
      {"--seed", "N", "of random inputs [42]"},                            \
      {"--executor-option", "EXECUTOR.KEY=VALUE",                          \
       "for an executor, as onnxruntime.level=99", true},                  \
      {"--ort-lib", "PATH", "ONNX Runtime's library [found]"}, {           \
    "--time-limit", "S",                                                   \
        "seconds of silence after which an executor is killed [600]"       \
  }

Result<ModelOptions> ReadModelOptions(const Args& args);

// An --executor-option for an executor that runs none of the sources would do
// nothing: surely a slip.
Status CheckExecutorOptions(const Args& args,
                            const std::vector<std::string>& sources);

}  // namespace assay
