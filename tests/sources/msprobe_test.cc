// The trees in data/msprobe were written by msprobe 26.2.0.
#include <gtest/gtest.h>

#include <cmath>

#include "arrays.h"
#include "sources/msprobe_json.h"
#include "sources/source.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kSamples = TestData("msprobe/");
const std::string kArray = Npy(Random(4));

std::string Head(std::string_view data) {
  return fmt::format(
      R"({{"task": "tensor", "level": "mix", "framework": "pytorch",
          "dump_data_dir": "/elsewhere", "data": {}}})",
      data);
}

// A tensor of dump.json with or without a file.
std::string Entry(std::string_view more = "") {
  return fmt::format(
      R"({{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [4]{}}})",
      more);
}
std::string InFile(std::string_view name) {
  return Entry(fmt::format(R"(, "data_name": "{}")", name));
}

Result<Dump> Opened(const TempTree& tree, std::string_view data,
                    const std::string& file = "dump.json") {
  tree.Write(file, Head(data));
  return OpenSource(tree.path(), {});
}

std::string Names(const Dump& dump) {
  std::string text;
  for (const TensorInfo& tensor : dump.tensors) {
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", dump.NameOf(tensor),
                        tensor.error() ? "!" : "");
  }
  return text;
}

// Everything the dump knows whose tensor it is.
std::string IdOf(const Dump& dump, const TensorInfo& tensor) {
  const TensorId& id = tensor.id;
  return fmt::format("{} {} {} {}{} {}", dump.names[id.op], dump.names[id.type],
                     id.call, Name(id.port), id.index, Name(id.phase));
}

const TensorInfo* Find(const Dump& dump, std::string_view name) {
  for (const TensorInfo& tensor : dump.tensors) {
    if (dump.NameOf(tensor) == name) return &tensor;
  }
  return nullptr;
}

TEST(Msprobe, OpensTheTreeAtAnyLevel) {
  const struct {
    std::string path, why, file;
    int step;
  } kRows[] = {
      {"statistics", "step0/proc1000/dump.json of msprobe",
       "step0/proc1000/dump.json", 0},
      {"statistics/step0//", "proc1000/dump.json of msprobe",
       "proc1000/dump.json", -1},
      {"statistics/step0/proc1000", "dump.json of msprobe", "dump.json", -1},
      {"statistics/step0/proc1000/dump.json", "dump.json of msprobe",
       "dump.json", -1},
  };
  for (const auto& row : kRows) {
    const auto dump = OpenSource(kSamples + row.path, {});
    ASSERT_TRUE(dump) << dump.error().Text();
    EXPECT_EQ(dump->kind, "msprobe");
    EXPECT_EQ(dump->why, row.why);
    EXPECT_EQ(dump->files, std::vector<std::string>{row.file});
    EXPECT_EQ(dump->tensors.size(), 26u);
    for (const TensorInfo& tensor : dump->tensors) {
      EXPECT_EQ(tensor.id.step, row.step);
      EXPECT_EQ(tensor.id.rank, -1);
      EXPECT_FALSE(tensor.error());
    }
    ASSERT_EQ(dump->notes.size(), 1u);
    EXPECT_EQ(dump->notes[0].text,
              "1 value is no tensor: a number, a text, a device");
  }
}

TEST(Msprobe, KeepsWhatIsKnownOfTheValues) {
  const auto dump = OpenSource(kSamples + "statistics", {});
  ASSERT_TRUE(dump);
  const TensorInfo& tensor = dump->tensors.front();
  EXPECT_EQ(dump->NameOf(tensor), "Functional.linear.0.forward.input.0");
  EXPECT_EQ(tensor.stored.name, "Functional.linear.0.forward.input.0");
  EXPECT_EQ(tensor.stored.dtype, DType::kF32);
  EXPECT_EQ(tensor.stored.shape, (Shape{2, 4}));
  ASSERT_TRUE(tensor.stored.summary);
  const TensorSummary& summary = *tensor.stored.summary;
  EXPECT_EQ(summary.max, 2.866340160369873);
  EXPECT_EQ(summary.min, -0.7228844165802002);
  EXPECT_EQ(summary.mean, 0.6745374202728271);
  EXPECT_EQ(summary.l2, 3.4113099575042725);
  EXPECT_EQ(summary.hash, "");
}

// A dump with values and one without call their tensors the same, and these
// are the names that msprobe gave the files.
TEST(Msprobe, NamesAreThoseOfTheFiles) {
  const auto values = OpenSource(kSamples + "tensor", {});
  const auto statistics = OpenSource(kSamples + "statistics", {});
  ASSERT_TRUE(values && statistics);
  ASSERT_EQ(values->tensors.size(), statistics->tensors.size());
  for (size_t i = 0; i < values->tensors.size(); ++i) {
    const TensorInfo& tensor = values->tensors[i];
    const std::string name(values->NameOf(tensor));
    EXPECT_EQ(values->files[tensor.file],
              "step0/proc1000/dump_tensor_data/" + name + ".pt");
    EXPECT_EQ(name, statistics->NameOf(statistics->tensors[i]));
    EXPECT_EQ(tensor.id.order, static_cast<int64_t>(i));
    EXPECT_EQ(tensor.id.order_from, OrderFrom::kIndex);
    EXPECT_FALSE(tensor.error()) << tensor.error()->Text();
    EXPECT_FALSE(tensor.stored.summary);
    EXPECT_EQ(tensor.stored.shape, statistics->tensors[i].stored.shape);
  }
}

TEST(Msprobe, NamesTellWhoseTensorItIs) {
  const auto dump = OpenSource(kSamples + "statistics", {});
  ASSERT_TRUE(dump);
  const struct {
    std::string_view name, id;
  } kRows[] = {
      {"Functional.linear.0.forward.input.2",
       "Functional.linear linear 0 input2 forward"},
      {"Functional.linear.0.backward.output.1",
       "Functional.linear linear 0 output1 backward"},
      {"Tensor.__add__.0.forward.output.0",
       "Tensor.__add__ __add__ 0 output0 forward"},
      {"Module.fc.Linear.forward.0.input.0",
       "Module.fc.Linear Linear 0 input0 forward"},
      {"Module.fc.Linear.forward.0.parameters.weight",
       "Module.fc.Linear Linear 0 -1 forward"},
      {"Module.fc.Linear.parameters_grad.0.bias",
       "Module.fc.Linear Linear 0 -1 backward"},
  };
  for (const auto& row : kRows) {
    const TensorInfo* tensor = Find(*dump, row.name);
    ASSERT_NE(tensor, nullptr) << row.name;
    EXPECT_EQ(IdOf(*dump, *tensor), row.id);
  }
}

TEST(Msprobe, PlacesBecomeNames) {
  const std::string t = Entry();
  const struct {
    std::string entry, value, names, id;
  } kRows[] = {
      {"NPU.f.12.forward", R"({"input_kwargs": {"mask": T}})",
       "NPU.f.12.forward.kwargs.mask", "NPU.f f 12 input-1 forward"},
      {"Torch.cat.3.forward", R"({"input_args": [[T, T]]})",
       "Torch.cat.3.forward.input.0.0 Torch.cat.3.forward.input.0.1",
       "Torch.cat cat 3 input-1 forward"},
      {"Module.layers.0.mlp.MLP.backward.7", R"({"input": [null, T]})",
       "Module.layers.0.mlp.MLP.backward.7.input.1",
       "Module.layers.0.mlp.MLP MLP 7 input1 backward"},
      {"Cell.net.Conv.forward.0", R"({"output": [{"type": T, "shape": [T]}]})",
       "Cell.net.Conv.forward.0.output.0.type "
       "Cell.net.Conv.forward.0.output.0.shape.0",
       "Cell.net.Conv Conv 0 output-1 forward"},
      {"Module.a.A.parameters_grad.2", R"({"weight": [T]})",
       "Module.a.A.parameters_grad.2.weight", "Module.a.A A 2 -1 backward"},
      {"Distributed.batch_isend_irecv.0.forward",
       R"({"input_args": [[{"class_type": "torch.distributed.P2POp",
           "tensor": T, "op": "isend", "peer": 1, "tag": 0}]]})",
       "Distributed.batch_isend_irecv.0.forward.input.0.0",
       "Distributed.batch_isend_irecv batch_isend_irecv 0 input-1 forward"},
      {"x.1.debug", "T", "x.1.debug", "x  1 -1 forward"},
      {"x.1.debug", R"({"input_args": [T]})", "x.1.debug.input_args.0",
       "x  1 -1 forward"},
      {"strange", R"({"output": [T]})", "strange.output.0",
       "strange  0 -1 forward"},
      {"a.b.forward", R"({"output": [T]})", "a.b.forward.output.0",
       "a.b.forward  0 -1 forward"},
      {"forward.0", R"({"output": [T]})", "forward.0.output.0",
       "forward.0  0 -1 forward"},
  };
  for (const auto& row : kRows) {
    std::string value = row.value;
    for (size_t at = 0; (at = value.find('T', at)) != std::string::npos;) {
      const bool word = at == 0 || value[at - 1] == ' ' || value[at - 1] == '[';
      if (word) value.replace(at, 1, t);
      at += word ? t.size() : 1;
    }
    const TempTree tree;
    const auto dump =
        Opened(tree, fmt::format(R"({{"{}": {}}})", row.entry, value));
    ASSERT_TRUE(dump) << dump.error().Text() << value;
    EXPECT_EQ(Names(*dump), row.names);
    EXPECT_EQ(IdOf(*dump, dump->tensors.front()), row.id);
  }
}

TEST(Msprobe, ReadsWhateverPythonWrites) {
  const TempTree tree;
  const auto dump = Opened(tree, R"({"a.f.0.forward": {"output": [
      {"type": "torch.Tensor", "dtype": "torch.bool", "shape": [2],
       "Max": true, "Min": false, "Mean": null, "Norm": null},
      {"type": "mindspore.Tensor", "dtype": "BFloat16", "shape": [],
       "layout": {"Alias Name": ["x"]},
       "Max": NaN, "Min": -Infinity, "Mean": Infinity, "Norm": 1e999},
      {"type": "torch.Tensor", "dtype": "torch.int64", "shape": [0, 3],
       "md5": "5e1b0000", "requires_grad": false},
      {"type": "numpy.ndarray", "dtype": "<U3", "shape": [1]},
      {"type": "torch.nested._internal.nested_tensor.NestedTensor",
       "dtype": "torch.float16", "shape": [2, "j1", 8]},
      {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [],
       "Max": -2.0, "Min": -2.0, "Mean": -2.0, "Norm": -2.0}]},
     "is_nan": false})");
  ASSERT_TRUE(dump) << dump.error().Text();
  ASSERT_EQ(dump->tensors.size(), 6u);
  const auto summary = [&](size_t i) {
    return *dump->tensors[i].stored.summary;
  };
  EXPECT_EQ(summary(0).max, 1);
  EXPECT_EQ(summary(0).min, 0);
  EXPECT_EQ(summary(0).mean, std::nullopt);
  EXPECT_TRUE(std::isnan(*summary(1).max));
  EXPECT_EQ(summary(1).min, -INFINITY);
  EXPECT_EQ(summary(1).l2, INFINITY);
  EXPECT_EQ(summary(2).hash, "5e1b0000");
  EXPECT_EQ(summary(2).max, std::nullopt);
  EXPECT_FALSE(summary(4).shape_known);
  EXPECT_EQ(summary(5).mean, -2);
  EXPECT_EQ(summary(5).l2, 2);
  std::string types;
  for (const TensorInfo& tensor : dump->tensors) {
    types += fmt::format("{}{} ", Name(tensor.stored.dtype),
                         ToText(tensor.stored.shape));
  }
  EXPECT_EQ(types, "bool[2] bf16[] i64[0,3] opaque[1] f16[] f32[] ");
}

TEST(Msprobe, StepsAndRanksAreSorted) {
  const TempTree tree;
  const std::string one =
      Head(R"({"a.f.0.forward": {"output": [)" + Entry() + "]}}");
  for (const char* folder : {"step10/rank0", "step2/rank1", "step2/rank0",
                             "step2/proc77", "graph/step3/rank4"}) {
    tree.Write(std::string(folder) + "/dump.json", one);
  }
  tree.Write("step2/rank0/debug.json",
             Head(R"({"x.0.debug": )" + Entry() + "}"));
  tree.Write("step4/rank0/dump_tensor_data/a.npy", kArray);
  tree.Write("other/rank9/dump.json", one);
  const auto dump = OpenSource(tree.path(), {.threads = 3});
  ASSERT_TRUE(dump) << dump.error().Text();
  std::string text;
  for (const TensorInfo& tensor : dump->tensors) {
    text += fmt::format("{}/{} ", tensor.id.step, tensor.id.rank);
  }
  EXPECT_EQ(text, "2/-1 2/0 2/0 2/1 3/4 10/0 ");
  ASSERT_EQ(dump->notes.size(), 1u);
  EXPECT_EQ(dump->notes[0].file, "step4/rank0");
  EXPECT_EQ(dump->notes[0].text, "no dump.json in it");
}

TEST(Msprobe, TakesValuesFromTheFiles) {
  const TempTree tree;
  tree.Write("dump_tensor_data/good.npy", kArray);
  tree.Write("dump_tensor_data/cut.npy", kArray.substr(0, 20));
  tree.Write("dump_tensor_data/text.pt", "hello");
  tree.Write("dump_tensor_data/extra.npy", kArray);
  tree.Write("secret.npy", kArray);
  const struct {
    std::string_view name, error;
  } kRows[] = {
      {"good.npy", ""},
      {"cut.npy", "header needs"},
      {"gone.npy", "cannot open: No such file or directory"},
      {"../secret.npy", "'../secret.npy' is no file of dump_tensor_data"},
      {"/etc/passwd", "'/etc/passwd' is no file of dump_tensor_data"},
      {"..", "'..' is no file of dump_tensor_data"},
      {".", "'.' is no file of dump_tensor_data"},
  };
  std::string entries;
  for (const auto& row : kRows) {
    entries += (entries.empty() ? "" : ",") + InFile(row.name);
  }
  const auto dump =
      Opened(tree, R"({"a.f.0.forward": {"output": [)" + entries + "]}}");
  ASSERT_TRUE(dump) << dump.error().Text();
  ASSERT_EQ(dump->tensors.size(), std::size(kRows));
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const ErrorRef& error = dump->tensors[i].error();
    EXPECT_EQ(dump->NameOf(dump->tensors[i]),
              fmt::format("a.f.0.forward.output.{}", i));
    EXPECT_EQ(error == nullptr, kRows[i].error.empty());
    if (!error) continue;
    EXPECT_TRUE(error->what.starts_with(kRows[i].error)) << error->what;
    EXPECT_FALSE(error->file.empty());
  }
  EXPECT_EQ(dump->tensors[0].stored.extent.length, 16u);
  ASSERT_EQ(dump->notes.size(), 1u);
  EXPECT_EQ(dump->notes[0].text, "2 files of no entry, such as extra.npy");
}

TEST(Msprobe, ADamagedFileGivesWhatStandsBefore) {
  const TempTree tree;
  const std::string whole =
      Head(R"({"a.f.0.forward": {"output": [)" + Entry() +
           R"(]}, "b.f.0.forward": {"output": [)" + Entry() + "]}}");
  tree.Write("step0/rank0/dump.json", whole);
  tree.Write("step0/rank1/dump.json", whole.substr(0, whole.size() - 30));
  tree.Write("step0/rank2/dump.json", "");
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump) << dump.error().Text();
  EXPECT_EQ(Names(*dump),
            "a.f.0.forward.output.0 b.f.0.forward.output.0 "
            "a.f.0.forward.output.0 step0/rank1/dump.json! "
            "step0/rank2/dump.json!");
  const Error& error = *dump->tensors[3].error();
  EXPECT_EQ(error.file, tree / "step0/rank1/dump.json");
  EXPECT_TRUE(error.offset && error.line);
  EXPECT_EQ(dump->tensors[4].error()->what, "the file is empty");
}

TEST(Msprobe, SaysWhatIsWrong) {
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {R"({"task": 1, "data": 7})", "'data' is no object"},
      {R"({"task": 1, "data": {}} 1)", "not JSON: the end expected, found '1'"},
      {R"({"task": 1, "data": {"a": [}})",
       "not JSON: a value or ']' expected, found '}'"},
      {R"({"task": 1, "data": {"a": )" + std::string(1000000, '['),
       "nested deeper than 1024 levels"},
  };
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write("dump.json", row.bytes);
    const auto dump = OpenSource(tree.path(), {});
    ASSERT_TRUE(dump) << dump.error().Text();
    EXPECT_EQ(dump->kind, "msprobe");
    EXPECT_EQ(Names(*dump), "dump.json!");
    EXPECT_EQ(dump->tensors.front().error()->what, row.error);
  }
}

TEST(Msprobe, NamesCannotFillTheMemory) {
  std::string value;
  for (int i = 0; i < 500; ++i) {
    value += fmt::format("{{\"{}\":", std::string(1000, 'k'));
  }
  value += "[" + Entry();
  for (int i = 0; i < 2000; ++i) value += "," + Entry();
  value += "]" + std::string(500, '}');
  const TempTree tree;
  const auto dump = Opened(tree, "{\"a.f.0.forward\":" + value + "}");
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->tensors.back().error()->what,
            "the names are longer than the file");
  EXPECT_LT(dump->tensors.size(), 100u);
}

TEST(Msprobe, LeavesOtherFoldersAlone) {
  const struct {
    std::string file, bytes;
  } kRows[] = {
      {"dump.json", "{\"data\": {}}"},
      {"dump.json", "[]"},
      {"dump.json", ""},
      {"sub/dump.json", Head("{}")},
      {"steps/rank0/dump.json", Head("{}")},
      {"data.json", Head("{}")},
  };
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write("a.npy", kArray);
    tree.Write(row.file, row.bytes);
    const auto dump = OpenSource(tree.path(), {});
    ASSERT_TRUE(dump) << dump.error().Text();
    EXPECT_EQ(dump->kind, "plain") << row.file;
  }
}

// What the fuzzer starts from, and what it found.
TEST(Msprobe, CorpusIsReplayed) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("msprobe"))) {
    const MsprobeDump dump = ReadMsprobe(entry.path());
    if (dump.error) {
      EXPECT_FALSE(dump.error->what.empty()) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 1u);
}

}  // namespace
}  // namespace assay
