#pragma once

#include <cstdio>
#include <string>

#include "base/utf8.h"

namespace assay {

// A line for people, on stderr. The work goes on if nobody is left to read it.
inline void TalkLine(const std::string& line) {
  std::fputs((PrintableLines(line) + '\n').c_str(), stderr);
}

}  // namespace assay
