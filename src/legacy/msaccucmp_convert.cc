// msaccucmp convert: every tensor of a dump file becomes a file of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/input_file.h"
#include "base/text.h"
#include "codecs/ascend.h"
#include "core/numpy_name.h"
#include "legacy/convert_request.h"
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

// msnpy names a file of five fields by the last part of the operator's own
// name, if the dump knows that: "Conv2D.b.1.2.3" of "a/b".
std::string ShortDumpName(const std::string& file) {
  const std::string name = fs::path(file).filename();
  const auto parts = Split(name, '.');
  if (parts.size() != 5 || name.ends_with(".npy")) return name;
  const auto dump = InputFile::Open(file);
  if (!dump) return name;
  const auto header = ReadAscendHeader(*dump, name);
  if (!header || header->op_name.empty()) return name;
  const std::string& op = header->op_name;
  return fmt::format("{}.{}.{}.{}.{}", parts[0], op.substr(op.rfind('/') + 1),
                     parts[2], parts[3], parts[4]);
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

std::string NameOfFile(const ConvertRequest& request, const std::string& file,
                       const StoredTensor& stored, const OldArray& array) {
  const std::string dump = fs::path(file).filename();
  std::string slot = stored.name;
  std::ranges::replace(slot, ':', '.');
  // With -f the original names .pt files as raw ones, and writes npy.
  if (request.type == "bin" || (request.type == "pt" && request.format)) {
    return fmt::format("{}.{}.{}.{}.{}.bin", dump, slot,
                       DimsText(ShapeInName(request, array), "_"),
                       TypeName(stored.dtype), Name(array.layout));
  }
  if (request.type == "msnpy") {
    return fmt::format("{}.{}.{}.npy", ShortDumpName(file), slot,
                       Name(array.layout));
  }
  const std::string dims =
      request.format ? "." + DimsText(array.shape, "x") : "";
  return fmt::format("{}.{}{}.{}", dump, slot, dims,
                     request.type == "pt" ? "pt" : "npy");
}

OldStatus WriteArray(const ConvertRequest& request, const std::string& file,
                     const StoredTensor& stored, OldArray array) {
  // Without -f a scalar becomes an array of one; torch has scalars.
  const bool flat = !request.format && request.type != "pt";
  if (flat && array.shape.empty()) array.shape = {1};
  std::string name = NameOfFile(request, file, stored, array);
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
  std::optional<OldFormat> format = request.format;
  if (format) format->scripts = &request.scripts;
  auto array = ReadArray(dump, tensor, format);
  if (array) return WriteArray(request, file, tensor.stored, *array);
  LogWarning(array.error().text);
  const OldFailure failure =
      Failure(array.error().code, "Failed to convert format for {} of \"{}\"",
              tensor.stored.name, file);
  if (request.type != "msnpy" || !request.only.empty()) return failure;
  // MindSpore gets such a tensor as it is.
  array = ReadArray(dump, tensor, std::nullopt);
  if (!array) return failure;
  array->layout = tensor.stored.layout;
  if (array->shape.empty()) array->shape = {1};
  const auto wrote = WriteArray(request, file, tensor.stored, *array);
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
  if (auto fine = CheckName(file); !fine) return fine;
  const auto dump = OpenToConvert(file);
  if (!dump) return dump.error();
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
    if (tensor.error() && !request.format) {  // the others are written
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

// What could not be converted, behind what earlier runs could not.
OldStatus NoteFailed(const std::string& lines, const std::string& folder) {
  const std::string path = folder + "/convert_failed_file_list.txt";
  std::ofstream list(path, std::ios::app);
  list << lines;
  if (list.flush()) return Done{};
  return Failure(OldCode::kWrite, "Failed to write \"{}\".", path);
}

OldResult<int> Convert(const OldArguments& args) {
  const auto request = MakeConvertRequest(args);
  if (!request) return request.error();
  std::string failed;
  OldCode code = OldCode::kOk;
  for (const std::string& file : request->files) {
    std::string tensors;
    const auto done = ConvertFile(*request, file, tensors);
    if (done) continue;
    LogError(done.error().text);
    failed +=
        fmt::format("{}{}\n", file, request->format ? tensors : std::string());
    if (code == OldCode::kOk) code = done.error().code;
  }
  if (!failed.empty() && !request->one_file) {
    if (auto noted = NoteFailed(failed, request->out); !noted) {
      return noted.error();
    }
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
  for (const std::string_view path : {"-d", "-c"}) {
    if (IsOldPath(args->Text(path))) continue;
    return RefuseArguments(kProgram,
                           Usage("argument {}: a path has a character that is "
                                 "none of _A-Za-z0-9/.,-",
                                 path));
  }
  const auto code = Convert(*args);
  return code ? *code : GiveUp(code.error());
}

}  // namespace assay
