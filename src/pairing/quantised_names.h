#pragma once

#include "pairing/fusion_rule.h"

namespace assay {

// Whether an output holds quantised numbers, or the first ones that are not
// quantised any more: names and type tell.
bool IsQuantised(const RuleOp& op, const RuleTensor& output);
bool IsDequantised(const RuleOp& op, const RuleTensor& output);

// Inputs of a dequantisation and outputs of a quantisation have no tensor of
// the framework to be compared with.
bool HidesInputs(const RuleOp& op);
bool HidesOutputs(const RuleOp& op);

}  // namespace assay
