#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

// float16 to float32, exact, with the widest registers of this CPU.
void WidenF16(const uint16_t* in, size_t n, float* out);

}  // namespace assay
