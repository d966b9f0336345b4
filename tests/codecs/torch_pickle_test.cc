#include "codecs/torch_pickle.h"

#include <gtest/gtest.h>

#include "codecs/pickle_builder.h"

namespace assay {
namespace {

using namespace pkl;

// "'model.weight' f32 [2,3]; ...", or the error.
std::string Read(const std::string& value) {
  const std::string bytes = Whole(value);
  const auto tensors = ReadTorchPickle(bytes, ~uint64_t{0});
  if (!tensors) return "error: " + tensors.error().what;
  std::string text;
  for (const TorchTensor& t : *tensors) {
    text += fmt::format("{}'{}' {} {}", text.empty() ? "" : "; ", t.name,
                        Name(t.dtype), ToText(t.shape));
  }
  return text;
}

TEST(TorchPickle, NamesTensorsByTheirKeys) {
  const std::string t = Tensor();
  const struct {
    std::string value, tensors;
  } kRows[] = {
      {"}" + Int(-1) + t + "s", "'-1' f32 [2,3]"},
      {"}" + Text("a.b") + "](NN" + t + "es", "'a.b.2' f32 [2,3]"},
      {"}N" + t + "s\x88" + t + "s", "'None' f32 [2,3]; 'True' f32 [2,3]"},
      {"}" + Tuple({0, 1}) + t + "s", "'(0,1)' f32 [2,3]"},
      {"}" + Global("torch", "float16") + t + "s", "'torch.float16' f32 [2,3]"},
      // Python 2 gives an OrderedDict its pairs as arguments.
      {Global("collections", "OrderedDict") + "(]" + "(" + Text("w") + t +
           "lat" + "R",
       "'w' f32 [2,3]"},
      {Global("torch._utils", "_rebuild_parameter") + t + "\x88" + kOrdered +
           "\x87R",
       "'' f32 [2,3]"},
      {std::string(Storage()), ""},
      {"}" + Text("x") + t + "s" + Text("x") + t + "s",
       "error: two tensors are named 'x'"},
      {"}]" + t + "s", "error: a dict has a key that makes no name"},
      {"}" + Text(std::string(5000, 'k')) + t + "s",
       "error: a name has more than 4096 bytes"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(row.value), row.tensors);
}

TEST(TorchPickle, SaysWhatIsWrong) {
  const std::string v2 = Global("torch._utils", "_rebuild_tensor_v2");
  const struct {
    std::string value, error;
  } kRows[] = {
      {Tensor{.size = std::vector<int64_t>(65, 1)},
       "65 dimensions, at most 64 are read"},
      {Tensor{.offset = -1}, "a tensor without its offset, size or strides"},
      {v2 + ")R", "a tensor without its offset, size or strides"},
      {Tensor{.storage = "N"}, "a tensor without a storage"},
      {Tensor{.storage = "NQ"}, "a persistent id that is no storage"},
      {Tensor{.storage = Storage{.numel = -1}},
       "a persistent id that is no storage"},
      {Tensor{.storage = Storage{.numel = INT64_MAX}},
       "a storage that is too large"},
      {Tensor{.storage = Storage{.type = "float32"}},
       "a storage without a type"},
      {v2 + "(" + std::string(Storage()) + Int(0) + "NN\x89NtR",
       "a size that is no tuple"},
      {v2 + "(" + std::string(Storage()) + Int(0) + "N\x85)\x89NtR",
       "a size that is no number"},
      {Tensor{.tail = "N", .function = "_rebuild_tensor_v3"},
       "a tensor without a type"},
      {Tensor{.tail = "}" + Text("conj") + "\x88s"},
       "the tensor is a view with the mark 'conj'"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Read(row.value), "error: " + row.error);
  }
  EXPECT_EQ(Read(Tensor{.tail = "}" + Text("conj") + "\x89s"}), "'' f32 [2,3]");
}

// Each list holds the one before twice: few bytes, and 2^n tensors.
std::string Doubled(const std::string& first, int times) {
  std::string value = first + "\x94";
  for (int i = 0; i < times; ++i) {
    const char at = static_cast<char>(i);
    value.append("]\x94(h").append(1, at).append("h").append(1, at).append("e");
  }
  return value;
}

TEST(TorchPickle, ABombIsRefused) {
  std::string deep = "]\x94";
  for (int i = 1; i < 100; ++i) {
    deep += "]\x94h" + Le(static_cast<uint8_t>(i - 1)) + "a";
  }
  const std::string wide = "](" + std::string(200000, 'N') + "e";
  const std::string name = Text(std::string(4000, 'k'));
  const struct {
    std::string value, error;
  } kRows[] = {
      {deep, "values are nested more than 64 deep"},
      {"]\x94h" + std::string(1, '\0') + "a",  // a list in itself
       "values are nested more than 64 deep"},
      {Doubled(Tensor(), 30), "the pickle unfolds to too many tensors"},
      {Doubled("]", 40), "the pickle unfolds to more than 4194304 values"},
      {Doubled(wide, 20), "the pickle unfolds to more than 4194304 values"},
      {Doubled(Tensor(), 18) + "}" + name + "h\x12s",  // long names
       "the pickle unfolds to too many tensors"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Read(row.value), "error: " + row.error);
  }
}

}  // namespace
}  // namespace assay
