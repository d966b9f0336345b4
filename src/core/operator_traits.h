#pragma once

#include <string_view>

namespace assay {

// What the type of an operator tells about errors that pass through it. Types
// of every framework, in any spelling: "Softmax", "SoftmaxV2", "aten.exp".

// Small relative errors of the inputs may become large ones: exponentials,
// divisions, normalisations, roundings to a grid, comparisons. An unknown type
// may.
bool MayAmplify(std::string_view type);

// Known to be one of those; an unknown type is not.
bool IsAmplifier(std::string_view type);

// One of those whose growth depends on the values so much that operators of
// the same type tell little of each other.
bool IsExponential(std::string_view type);

// Its relative error is about the sum of its inputs': products and quotients.
bool IsProduct(std::string_view type);

// Its output is positions, or a choice: any difference of the inputs may
// change it altogether.
bool IsChoice(std::string_view type);

// Passes its input on unchanged but for type, layout and shape.
bool IsPassThrough(std::string_view type);

// Has no ingredients: network inputs, and weights.
bool IsNetworkInput(std::string_view type);
bool IsConstantType(std::string_view type);

}  // namespace assay
