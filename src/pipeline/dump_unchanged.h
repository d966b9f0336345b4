#pragma once

#include <string>
#include <vector>

#include "executors/executor.h"
#include "pipeline/dump_record.h"

namespace assay {

// Looking can change the result: the outputs of the untouched model against the
// same tensors of the tapped one.
class OutputCheck {
 public:
  OutputCheck(std::string folder, const std::vector<RunRequest::Tensor>& taps,
              const std::vector<RunRequest::Tensor>& outputs);

  // Every tensor that comes; others than outputs are passed over.
  void Add(const RunTensor& tensor);
  Unchanged Compare() const;

 private:
  struct Output {
    std::string name;
    size_t tap = 0;             // its place among the taps
    std::string plain, tapped;  // files; empty: not there
  };
  std::string folder_;
  std::vector<Output> outputs_;
};

}  // namespace assay
