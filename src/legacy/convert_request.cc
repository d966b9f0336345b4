#include "legacy/convert_request.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/text.h"
#include "legacy/msaccucmp_log.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Links followed; "" is the current folder.
std::string RealPath(std::string_view word) {
  const fs::path path = word.empty() ? "." : fs::path(word);
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? fs::absolute(path).string() : real.string();
}

bool IsFile(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// The code of a run is that of the first file that fails, so their order is
// that of the folder, as in the original.
std::vector<std::string> FilesIn(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file(ignored) || name == "mapping.csv") continue;
    files.push_back(fmt::format("{}/{}", folder, name));
  }
  return files;
}

OldStatus CheckPath(const std::string& path) {
  if (auto fine = CheckName(path); !fine) return fine;
  if (IsFile(path) || IsFolder(path)) return Done{};
  return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
}

OldResult<std::vector<std::string>> PathsOf(const std::string& text) {
  std::vector<std::string> paths;
  for (const std::string_view word : Split(text, ',')) {
    std::string path = RealPath(word);
    const auto fine = CheckPath(path);
    if (!fine && word == text) return fine.error();
    if (!fine) {
      LogError(fine.error().text);  // the others of a list are converted
    } else {
      paths.push_back(std::move(path));
    }
  }
  if (!paths.empty()) return paths;
  return Failure(OldCode::kPath, "There is no valid file in \"{}\".", text);
}

OldStatus ReadFiles(const std::string& text, ConvertRequest& request) {
  auto paths = PathsOf(text);
  if (!paths) return paths.error();
  if (paths->size() == 1 && IsFolder(paths->front())) {
    request.files = FilesIn(paths->front());
    return Done{};
  }
  request.one_file = paths->size() == 1;
  std::erase_if(*paths, IsFolder);
  request.files = *std::move(paths);
  return Done{};
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

// What only one file has: a tensor to choose, a shape to cut to.
OldStatus ReadTensor(const OldArguments& args, ConvertRequest& request) {
  for (const std::string_view option : {"-i", "-o"}) {
    const std::string index = args.Text(option);
    if (index.empty()) continue;
    if (!std::ranges::all_of(index, ::isdigit)) {
      return Failure(OldCode::kParameter, "{} is to be a number.", option);
    }
    const size_t zeros =
        std::min(index.find_first_not_of('0'), index.size() - 1);
    request.only = fmt::format("{}:{}", option == "-o" ? "output" : "input",
                               index.substr(zeros));
  }
  if (args.Text("-s").empty()) return Done{};
  const auto shape = ReadShape(args.Text("-s"));
  if (!shape) return shape.error();
  request.format->shape = *shape;
  return Done{};
}

OldStatus ReadFormat(const OldArguments& args, ConvertRequest& request) {
  const std::string files = args.Text("-d");
  request.format.emplace();
  if (files.find(',') == files.npos && IsFile(RealPath(files))) {
    if (auto read = ReadTensor(args, request); !read) return read;
  } else {
    LogWarning("-o, -i and -s are for one file.");
  }
  const auto layout = ParseLayout(args.Text("-f"));
  if (!layout) {
    return Failure(OldCode::kParameter, "The format \"{}\" is not known.",
                   args.Text("-f"));
  }
  request.format->layout = *layout;
  auto scripts = FormatScripts::Find(args.Text("-c"));
  if (!scripts) return scripts.error();
  request.scripts = *std::move(scripts);
  return Done{};
}

OldStatus CheckOptions(const OldArguments& args) {
  for (const std::string_view option : {"-o", "-i", "-s", "-c"}) {
    if (args.Has("-f") || !args.Has(option)) continue;
    return Failure(OldCode::kParameter, "{} needs -f.", option);
  }
  const std::string path = RealPath(args.Text("-d"));
  std::error_code ignored;
  if (!IsFolder(path) || !fs::is_empty(path, ignored)) return Done{};
  return Failure(OldCode::kParameter, "The dump path is empty.");
}

}  // namespace

OldStatus CheckName(const std::string& path) {
  const bool fine = std::ranges::all_of(path, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_\\./:()=-").find(static_cast<char>(c)) !=
               std::string_view::npos;
  });
  if (fine) return Done{};
  return Failure(OldCode::kParameter,
                 "The name \"{}\" is invalid. It only supports "
                 "\"A-Za-z0-9_\\./:()=-\".",
                 path);
}

OldResult<ConvertRequest> MakeConvertRequest(const OldArguments& args) {
  ConvertRequest request{.type = args.Text("-t", "npy"),
                         .out = RealPath(args.Text("-out"))};
  if (auto fine = CheckOptions(args); !fine) return fine.error();
  if (!args.Text("-f").empty()) {
    if (auto read = ReadFormat(args, request); !read) return read.error();
  }
  if (auto read = ReadFiles(args.Text("-d"), request); !read) {
    return read.error();
  }
  // With -f the original goes on whatever it thinks of the name.
  if (auto fine = CheckName(request.out); !fine && !request.format) {
    return fine.error();
  }
  std::error_code failed;
  fs::create_directories(request.out, failed);
  if (!IsFolder(request.out)) {
    return Failure(OldCode::kPath, "The path \"{}\" is not a directory.",
                   request.out);
  }
  return request;
}

}  // namespace assay
