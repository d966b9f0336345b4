#include "core/operator_traits.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>

namespace assay {
namespace {

// Letters only and small: "aten.log_softmax.int" is "atenlogsoftmaxint".
std::string Letters(std::string_view type) {
  std::string out;
  for (const char c : type) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte)) out += static_cast<char>(std::tolower(byte));
  }
  return out;
}

bool HasOne(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool IsOne(std::string_view text, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::string_view kChoices[] = {
    "argmax", "argmin", "argsort", "topk",   "nonzero",  "where",
    "unique", "sort",   "nms",     "nonmax", "multinom", "bincount"};

constexpr std::string_view kExponentials[] = {"exp",  "softmax", "pow", "sinh",
                                              "cosh", "sigmoid", "loss"};

constexpr std::string_view kAmplifiers[] = {
    "exp",      "softmax",      "sigmoid", "pow",     "log",   "sinh",
    "cosh",     "tan",          "div",     "recip",   "rsqrt", "norm",
    "softplus", "swish",        "silu",    "gelu",    "mish",  "elu",
    "erf",      "sin",          "cos",     "sqrt",    "inv",   "det",
    "cholesky", "solve",        "mod",     "floor",   "ceil",  "round",
    "sign",     "trunc",        "quant",   "greater", "less",  "equal",
    "std",      "var",          "lstm",    "gru",     "rnn",   "attention",
    "loss",     "crossentropy", "cumprod", "prod"};

// Whose relative error is about the largest of their inputs'. "relu" is not
// an "elu".
constexpr std::string_view kTame[] = {
    "matmul",       "gemm",         "linear",
    "conv",         "relu",         "add",
    "sub",          "mul",          "concat",
    "split",        "reshape",      "pool",
    "pad",          "slice",        "gather",
    "cast",         "identity",     "transpose",
    "expand",       "tile",         "flatten",
    "squeeze",      "sum",          "mean",
    "max",          "min",          "clip",
    "neg",          "abs",          "transdata",
    "permute",      "view",         "stack",
    "chunk",        "unbind",       "copy",
    "resize",       "upsample",     "fullyconnection",
    "bias",         "embedding",    "shuffle",
    "depthtospace", "spacetodepth", "tanh",
    "hardtanh",     "dropout"};

constexpr std::string_view kProducts[] = {
    "mul",    "conv",      "gemm", "linear", "einsum",         "div",
    "square", "attention", "dot",  "mm",     "fullyconnection"};

constexpr std::string_view kPassThrough[] = {
    "cast",       "transdata",  "identity",       "reshape",
    "flatten",    "squeeze",    "unsqueeze",      "expanddims",
    "transpose",  "transposed", "formattransfer", "memcpyasync",
    "identityn",  "view",       "contiguous",     "clone",
    "dropout",    "assign",     "netoutput",      "squeezev",
    "unsqueezev", "bitcast",    "stopgradient",   "readvariableop",
    "copy"};

constexpr std::string_view kInputs[] = {"data",
                                        "placeholder",
                                        "input",
                                        "parameter",
                                        "refdata",
                                        "aippdata",
                                        "placeholderwithdefault",
                                        "anndata"};

constexpr std::string_view kConstants[] = {
    "const",           "constant",    "variable",    "variablev",
    "varhandleop",     "getattr",     "initializer", "constplaceholder",
    "constantofshape", "fileconstant"};

// Without the words that contain one of another list.
std::string WithoutTame(std::string_view type) {
  std::string letters = Letters(type);
  for (const std::string_view tame : {"relu", "tanh", "expand"}) {
    for (size_t at; (at = letters.find(tame)) != std::string::npos;) {
      letters.erase(at, tame.size());
    }
  }
  return letters;
}

}  // namespace

bool IsChoice(std::string_view type) { return HasOne(Letters(type), kChoices); }

bool IsAmplifier(std::string_view type) {
  const std::string letters = WithoutTame(type);
  return HasOne(letters, kAmplifiers) || IsChoice(letters);
}

bool IsExponential(std::string_view type) {
  return HasOne(WithoutTame(type), kExponentials);
}

bool MayAmplify(std::string_view type) {
  return IsAmplifier(type) || !HasOne(Letters(type), kTame);
}

bool IsProduct(std::string_view type) {
  return HasOne(Letters(type), kProducts);
}

bool IsPassThrough(std::string_view type) {
  return IsOne(Letters(type), kPassThrough);
}

bool IsNetworkInput(std::string_view type) {
  return IsOne(Letters(type), kInputs);
}

bool IsConstantType(std::string_view type) {
  return IsOne(Letters(type), kConstants);
}

}  // namespace assay
