// msaccucmp convert: every tensor of a dump file becomes a file of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "core/numpy_name.h"
#include "legacy/format_scripts.h"
#include "legacy/long_names.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/msaccucmp_network.h"
#include "legacy/old_arguments.h"
#include "legacy/old_array.h"
#include "legacy/old_files.h"
#include "legacy/python_text.h"
#include "legacy/torch_file.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "msaccucmp convert";

constexpr OldOption kOptions[] = {
    {"-d,--dump_file", OldOption::kOne, "file, files a,b or folder", true},
    {"-f,--format", OldOption::kOne, "layout to convert to, as NCHW"},
    {"-s,--shape", OldOption::kOne, "shape to cut to, as 1,3,4"},
    {"-o,--output_tensor", OldOption::kOne, "only this output"},
    {"-i,--input_tensor", OldOption::kOne, "only this input"},
    {"-c,--custom_script_path", OldOption::kOne,
     "folder with format_convert/convert_LAYOUT_to_LAYOUT.py"},
    {"-out,--output", OldOption::kOne, "folder for the files [.]"},
    {"-v,--version", OldOption::kOne, "of the dump files [2]", false, "1,2"},
    {"-t,--type", OldOption::kOne, "kind of file [npy]", false,
     "npy,bin,msnpy,pt"},
};

struct ConvertRequest {
  std::vector<std::string> files;
  bool one_file = false;  // -d names a file, not a list or a folder
  FormatScripts scripts;  // of -c
  std::optional<OldFormat> format;
  std::string only;  // "output:0"; empty: all
  std::string type, out;
};

OldResult<std::vector<std::string>> FilesOf(const std::string& path) {
  std::error_code ignored;
  std::vector<std::string> files;
  if (fs::is_directory(path, ignored)) {
    for (const auto& entry : fs::directory_iterator(path, ignored)) {
      const std::string name = entry.path().filename();
      if (!entry.is_regular_file(ignored) || name == "mapping.csv") continue;
      files.push_back(entry.path());
    }
    std::ranges::sort(files);
    if (!files.empty()) return files;
    return Failure(OldCode::kParameter, "There is no file in \"{}\".", path);
  }
  for (const std::string_view word : Split(path, ',')) {
    std::string file(word);
    if (fs::is_regular_file(file, ignored)) {
      files.push_back(std::move(file));
      continue;
    }
    auto missing =
        Failure(OldCode::kPath, "The path \"{}\" does not exist.", file);
    if (file == path) return missing;
    LogError(missing.text);  // the others of a list are converted
  }
  if (!files.empty()) return files;
  return Failure(OldCode::kPath, "There is no valid file in \"{}\".", path);
}

OldResult<Shape> ReadShape(const std::string& text) {
  Shape shape;
  for (const std::string_view part : Split(text, ',')) {
    const bool digits = !part.empty() && std::ranges::all_of(part, [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (!digits || part.size() > 15) {
      return Failure(OldCode::kShape, "The shape \"{}\" is invalid.", text);
    }
    shape.push_back(std::stoll(std::string(part)));
  }
  if (shape.size() < 2) {
    return Failure(OldCode::kShape,
                   "The shape \"{}\" is to have two dimensions or more.", text);
  }
  if (std::ranges::any_of(shape, [](int64_t d) { return d <= 0; })) {
    return Failure(OldCode::kShape, "The shape \"{}\" has a 0.", text);
  }
  return shape;
}

OldStatus ReadFormat(const OldArguments& args, ConvertRequest& request) {
  if (!args.Has("-f")) {
    for (const std::string_view option : {"-o", "-i", "-s", "-c"}) {
      if (!args.Has(option)) continue;
      return Failure(OldCode::kParameter, "{} needs -f.", option);
    }
    return Done{};
  }
  const auto layout = ParseLayout(args.Text("-f"));
  if (!layout) {
    return Failure(OldCode::kParameter, "The format \"{}\" is not known.",
                   args.Text("-f"));
  }
  request.format = OldFormat{.layout = *layout};
  if (!request.one_file) {
    for (const std::string_view option : {"-o", "-i", "-s", "-c"}) {
      if (args.Has(option)) {
        LogWarning(fmt::format("{} is left out: it is for one file.", option));
      }
    }
    return Done{};
  }
  auto scripts = FormatScripts::Find(args.Text("-c"));
  if (!scripts) return scripts.error();
  request.scripts = *std::move(scripts);
  if (args.Has("-s")) {
    const auto shape = ReadShape(args.Text("-s"));
    if (!shape) return shape.error();
    request.format->shape = *shape;
  }
  for (const std::string_view option : {"-o", "-i"}) {
    if (!args.Has(option)) continue;
    const std::string index = args.Text(option);
    if (index.empty() || !std::ranges::all_of(index, ::isdigit)) {
      return Failure(OldCode::kParameter, "{} is to be a number.", option);
    }
    request.only =
        fmt::format("{}:{}", option == "-o" ? "output" : "input", index);
  }
  return Done{};
}

OldResult<ConvertRequest> MakeRequest(const OldArguments& args) {
  ConvertRequest request{.type = args.Text("-t", "npy"),
                         .out = args.Text("-out", ".")};
  auto files = FilesOf(args.Text("-d"));
  if (!files) return files.error();
  request.files = *std::move(files);
  request.one_file =
      request.files.size() == 1 && request.files[0] == args.Text("-d");
  if (auto fine = ReadFormat(args, request); !fine) return fine.error();
  return request;
}

// The operator's last part is enough for msnpy: "Conv2D.a_b.1.2.3".
std::string ShortDumpName(const std::string& file) {
  const auto parts = Split(file, '.');
  if (parts.size() < 3) return file;
  const std::string_view op = parts[1];
  const std::string_view last = op.substr(op.rfind('/') + 1);
  std::string name = fmt::format("{}.{}", parts[0], last);
  for (size_t i = 2; i < parts.size(); ++i) {
    name += fmt::format(".{}", parts[i]);
  }
  return name;
}

// The name of a type in file names; bf16 keeps its own.
std::string_view TypeName(DType type) {
  return type == DType::kBF16 ? NumpyName(type) : NumpyType(type);
}

std::string DimsText(const Shape& shape, std::string_view between) {
  return fmt::format("{}", fmt::join(shape, between));
}

// Without -f, raw files are a flat list.
Shape ShapeInName(const ConvertRequest& request, const OldArray& array) {
  const uint64_t count = ElementCount(array.shape).value_or(0);
  if (request.format || count == 0) return array.shape;
  return {static_cast<int64_t>(count)};
}

std::string NameOfFile(const ConvertRequest& request, const std::string& dump,
                       const StoredTensor& stored, const OldArray& array) {
  std::string slot = stored.name;
  std::ranges::replace(slot, ':', '.');
  // With -f the original names .pt files as raw ones, and writes npy.
  if (request.type == "bin" || (request.type == "pt" && request.format)) {
    return fmt::format("{}.{}.{}.{}.{}.bin", dump, slot,
                       DimsText(ShapeInName(request, array), "_"),
                       TypeName(stored.dtype), Name(array.layout));
  }
  if (request.type == "msnpy") {
    return fmt::format("{}.{}.{}.npy", ShortDumpName(dump), slot,
                       Name(array.layout));
  }
  const std::string dims =
      request.format ? "." + DimsText(array.shape, "x") : "";
  return fmt::format("{}.{}{}.{}", dump, slot, dims,
                     request.type == "pt" ? "pt" : "npy");
}

OldStatus WriteArray(const ConvertRequest& request, const std::string& dump,
                     const StoredTensor& stored, OldArray array) {
  // Without -f a scalar becomes an array of one.
  if (!request.format && array.shape.empty()) array.shape = {1};
  std::string name = NameOfFile(request, dump, stored, array);
  if (name.size() >= kTooLongName) {
    const std::string old = name;
    name = UuidOf(old) + old.substr(old.rfind('.'));
    NoteReplacedName(request.out + "/mapping.csv", name, old);
  }
  const std::string path = request.out + "/" + name;
  Status done = Done{};
  if (request.type == "bin") {
    done = WriteWhole(path, array.bytes);
  } else if (request.type == "pt" && !request.format) {
    if (!TorchHolds(array.dtype)) {
      return Failure(OldCode::kDataType, "torch has no type for {}.",
                     Name(array.dtype));
    }
    done = WriteTorchFile(array, path);
  } else {
    done = WriteNpy(array, path);
  }
  if (!done) return Failure(OldCode::kWrite, done.error());
  return Done{};
}

OldStatus ConvertTensor(const ConvertRequest& request, const Dump& dump,
                        const TensorInfo& tensor, const std::string& file) {
  const std::string name = fs::path(file).filename();
  std::optional<OldFormat> format = request.format;
  if (format) format->scripts = &request.scripts;
  auto array = ReadArray(dump, tensor, format);
  if (array) return WriteArray(request, name, tensor.stored, *array);
  LogWarning(array.error().text);
  const OldFailure failure =
      Failure(array.error().code, "Failed to convert format for {} of \"{}\"",
              tensor.stored.name, file);
  if (request.type != "msnpy" || !request.only.empty()) return failure;
  // MindSpore gets such a tensor as it is.
  array = ReadArray(dump, tensor, std::nullopt);
  if (!array) return failure;
  array->layout = tensor.stored.layout;
  const auto wrote = WriteArray(request, name, tensor.stored, *array);
  return wrote ? OldStatus(failure) : wrote;
}

// An array counts as a dump with one output.
OldResult<Dump> OpenToConvert(const std::string& file) {
  auto dump = OpenDumpFile(file);
  if (!dump || !file.ends_with(".npy")) return dump;
  for (TensorInfo& tensor : dump->tensors) {
    tensor.stored.name = "output:0";
    tensor.stored.layout = Layout::kReserved;
  }
  return dump;
}

// `failed` gets ",output:0" for each tensor that could not be converted.
OldStatus ConvertFile(const ConvertRequest& request, const std::string& file,
                      std::string& failed) {
  const auto dump = OpenToConvert(file);
  if (!dump) return dump.error();
  const std::string name = fs::path(file).filename();
  if (!request.format) {
    const auto records = WriteRecords(*dump, request.out);
    if (!records) return records.error();
    if (*records > 0) return Done{};
    if (auto blocks = WriteBlocks(*dump, request.out); !blocks) return blocks;
  }
  bool found = request.only.empty();
  OldStatus last = Done{};
  for (const TensorInfo& tensor : dump->tensors) {
    const std::string& slot = tensor.stored.name;
    if (!request.only.empty() && slot != request.only) continue;
    if (!slot.starts_with("input") && !slot.starts_with("output")) continue;
    found = true;
    if (tensor.error()) {  // the others are written all the same
      LogError(
          fmt::format("Failed to write {}. {}", slot, tensor.error()->what));
      continue;
    }
    if (auto done = ConvertTensor(request, *dump, tensor, file); !done) {
      LogError(done.error().text);
      failed += "," + slot;
      last = std::move(done);
    }
  }
  if (!found) {
    return Failure(OldCode::kIndex, "There is no {} in \"{}\".", request.only,
                   file);
  }
  return last;
}

OldResult<int> Convert(const OldArguments& args) {
  const auto request = MakeRequest(args);
  if (!request) return request.error();
  std::error_code ignored;
  fs::create_directories(request->out, ignored);
  std::string failed;
  OldCode code = OldCode::kOk;
  for (const std::string& file : request->files) {
    std::string tensors;
    const auto done = ConvertFile(*request, file, tensors);
    if (done) continue;
    LogError(done.error().text);
    failed += fmt::format("{}{}\n", fs::absolute(file).string(),
                          request->format ? tensors : "");
    if (code == OldCode::kOk) code = done.error().code;
  }
  if (!failed.empty() && !request->one_file) {
    const auto wrote =
        WriteOldFile(request->out + "/convert_failed_file_list.txt", failed);
    if (!wrote) return wrote.error();
  }
  return static_cast<int>(code);
}

}  // namespace

int RunMsaccucmpConvert(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram, "Convert dump files.", kOptions));
    return 0;
  }
  if (args->Has("-o") && args->Has("-i")) {
    return RefuseArguments(kProgram,
                           Usage("argument -i: not allowed with argument -o"));
  }
  if (!IsOldPath(args->Text("-d")) || !IsOldPath(args->Text("-out"))) {
    return RefuseArguments(kProgram,
                           Usage("a path has a character that is none of "
                                 "_A-Za-z0-9/.,-"));
  }
  const auto code = Convert(*args);
  return code ? *code : GiveUp(code.error());
}

}  // namespace assay
