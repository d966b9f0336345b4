#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graphs/onnx_file.h"

namespace assay {

// Which tensors of a model to dump.
struct TapChoice {
  // "all"; names and numbers with commas; A..B and A..B/STEP with both ends, of
  // which each may be left out. =NAME is a name that looks like a number.
  std::string taps = "all";
  std::string regex;  // of names; empty: any
  std::string types;  // of operators, with commas; empty: any
};

// Numbers into OnnxFile::taps(), ascending.
Result<std::vector<uint32_t>> ChooseTaps(const onnx::OnnxFile& file,
                                         const TapChoice& choice);

// How files of taps are called, without their suffix.
enum class TapNames : uint8_t {
  kPlain,    // NAME
  kTopoidx,  // topoidx_00012__NAME
  kMsit,     // NODE.INDEX.TIME, '.' and '/' of the node as '_'
  kAscend,   // TYPE.NODE.NUMBER.0.TIME.output.INDEX
};
Result<TapNames> ParseTapNames(std::string_view name);

// A text as part of a file name: no '/', no leading dot, nothing a terminal
// obeys (as %XX), and not too long (its end becomes a hash).
std::string FileNameOf(std::string_view text);

// In the order of `taps`, all different. `time`: microseconds since 1970.
std::vector<std::string> TapFileNames(const onnx::OnnxFile& file,
                                      const std::vector<uint32_t>& taps,
                                      TapNames names, int64_t time);

}  // namespace assay
