#pragma once

#include <cstdint>

namespace assay {

// Every number that a verdict depends on stands here; the truth bench
// calibrates them. docs/reference/verdicts.md explains each.

// Rounding explains errors up to this many unit roundoffs.
inline constexpr double kRoundoffs = 16;
// But never errors as large as the values: with 8-bit floats a side of zeros
// would pass.
inline constexpr double kMostExplained = 0.5;
// From how many elements on a constant side or a pure scale is no accident.
inline constexpr uint64_t kEnoughForConstant = 16;
inline constexpr uint64_t kEnoughForScale = 64;
inline constexpr uint64_t kEnoughForOrder = 64;
// Which part of them must have moved where there are few different values.
inline constexpr double kEnoughMoved = 0.25;
// A factor is common only if no element is so large that it alone decides the
// norm, and if elements have it on average.
inline constexpr double kLargestShare = 0.25;  // of the sum of squares
inline constexpr double kScaleShare = 0.5;     // of |norm ratio - 1|
// And it is no bias of many roundings only if it is that many times the error
// that is left without it.
inline constexpr double kPureScale = 8;
// An integer grid rounds by half a step.
inline constexpr double kIntegerStep = 0.5;
// Part of it by which a scaled step may be off: it is a float32 itself.
inline constexpr double kStepSlack = 1e-5;
// --noise-factor: how much worse than a trusted run a good run may be.
inline constexpr double kNoiseFactor = 10;
// Fraction bits that betray widened values: 13 zero low bits in float32 data
// are float16, 16 are bfloat16. Fewer bits in use say nothing: small integers
// and constants look like that too.
inline constexpr int kF16Fraction = 10;
inline constexpr int kBF16Fraction = 7;
inline constexpr int kLeastFraction = 4;
// An operator rounds its own result: that many unit roundoffs are not
// inherited.
inline constexpr double kOwnRoundoffs = 2;
// From which growth of the error on an operator makes it, and from which on
// nothing else can be the reason.
inline constexpr double kJump = 8;
inline constexpr double kSureJump = 64;
// From which error of the inputs on (rel_l2) nothing can be told any more: it
// is as large as the values.
inline constexpr double kAllLost = 1;
// An output that much smaller than the inputs is a difference of large numbers.
inline constexpr double kCancellation = 8;
// From which part of the error on a common factor of all elements is looked at
// by itself; where small errors may grow, it must be nearly all of it.
inline constexpr double kPartlyScale = 0.5;
inline constexpr double kMostlyScale = 0.9;
// An operator stands out when its error grows that many spreads more than is
// usual for its type in this network; exponentials differ more among
// themselves. Spreads below the least ones (of the logarithm) are noise.
inline constexpr double kStandsOut = 5;
inline constexpr double kExponentialStandsOut = 10;
inline constexpr double kLeastSpread = 0.15;
inline constexpr double kLeastMaxSpread = 0.25;
inline constexpr double kVisibleScale = 0.3;  // part of the error
inline constexpr size_t kEnoughPeers = 5;

// An index of a dimension (a channel) is odd when its numbers have a factor of
// their own: that many roundoffs from the factor of the others, that many
// spreads, the same by squares and by sizes, not made by one large element, and
// no index that is nearly zero.
inline constexpr double kOddSlice = 8;
inline constexpr double kOddSpreads = 6;
inline constexpr double kOddAgree = 0.4;
inline constexpr double kOddPeak = 0.6;   // of the index' sum of squares
inline constexpr double kOddLeast = 0.1;  // of a usual index' sum of squares
inline constexpr uint64_t kEnoughIndices = 8;
inline constexpr uint64_t kEnoughInSlice = 64;

}  // namespace assay
