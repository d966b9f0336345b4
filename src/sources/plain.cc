// A folder of array files, at any depth, or one such file.
//
// A tensor is called by its path below the folder without the suffix; a member
// of a file with several tensors is path/member. A name may end in
// ".index.timestamp", as the dump tools of several frameworks write it.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "sources/source.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string Recognise(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? "a folder of array files"
                                         : "one array file";
}

// All files below `root`, sorted, so that the order never depends on the disk.
Result<std::vector<std::string>> FilesBelow(const std::string& root) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator at(
      root, fs::directory_options::skip_permission_denied, error);
  const size_t prefix = root.size() + (root.ends_with('/') ? 0 : 1);
  for (; !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) {
      files.push_back(at->path().native().substr(prefix));
    }
  }
  if (error) return IoError("cannot list: {}", error.message()).At(root);
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<int64_t> Digits(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || at != end || value < 0) {
    return std::nullopt;
  }
  return value;
}

// "conv1.0.1700000000000": operator, output index, time.
void NameOperator(std::string_view name, Dump& dump, TensorId& id) {
  id.op = dump.names.Intern(name);
  const size_t last = name.rfind('.');
  if (last == std::string_view::npos || last == 0) return;
  const size_t before = name.rfind('.', last - 1);
  if (before == std::string_view::npos || before == 0) return;
  const auto time = Digits(name.substr(last + 1));
  const auto index = Digits(name.substr(before + 1, last - before - 1));
  constexpr size_t kShortestTime = 10;
  if (!time || !index || name.size() - last - 1 < kShortestTime) return;
  id.op = dump.names.Intern(name.substr(0, before));
  id.port = Port::kOutput;
  id.index = static_cast<int32_t>(*index);
  id.order = *time;
  id.order_from = OrderFrom::kTimestamp;
}

std::string_view WithoutSuffix(std::string_view file, const Codec* codec) {
  if (codec == nullptr) {
    const size_t dot = file.rfind('.'), slash = file.rfind('/');
    const bool has_suffix =
        dot != std::string_view::npos && dot > 0 &&
        (slash == std::string_view::npos || dot > slash + 1);
    return has_suffix ? file.substr(0, dot) : file;
  }
  for (const std::string_view suffix : Split(codec->extensions, ' ')) {
    if (file.ends_with(suffix) && file.size() > suffix.size()) {
      return file.substr(0, file.size() - suffix.size());
    }
  }
  return file;
}

void AddTensor(uint32_t file, StoredTensor stored, const Codec* codec,
               std::shared_ptr<const Error> error, Dump& dump) {
  std::string name(WithoutSuffix(dump.files[file], codec));
  if (!stored.name.empty() && codec != nullptr && codec->many) {
    name += "/" + stored.name;
  }
  TensorInfo& tensor = dump.tensors.emplace_back();
  tensor.file = file;
  tensor.name = dump.names.Intern(name);
  tensor.stored = std::move(stored);
  tensor.error = std::move(error);
  NameOperator(name, dump, tensor.id);
}

void AddListing(uint32_t file, Result<Listing> listing, Dump& dump) {
  if (!listing) {
    AddTensor(file, {.dtype = DType::kOpaque}, nullptr,
              std::make_shared<const Error>(std::move(listing).error()), dump);
    return;
  }
  if (listing->codec == nullptr) {
    dump.notes.push_back({dump.files[file], std::move(listing->note)});
    return;
  }
  for (StoredTensor& stored : listing->tensors) {
    AddTensor(file, std::move(stored), listing->codec, nullptr, dump);
  }
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  Dump dump;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    dump.root = path;
    while (dump.root.size() > 1 && dump.root.ends_with('/'))
      dump.root.pop_back();
    ASSIGN_OR_RETURN(dump.files, FilesBelow(dump.root));
  } else if (!fs::is_regular_file(path, ignored)) {
    return Unsupported("neither a file nor a folder")
        .At(path)
        .Hint("a pipe cannot be read twice; write it to a file first");
  } else {
    const fs::path file(path);
    dump.root = file.parent_path().native();
    dump.files = {file.filename().native()};
  }

  std::vector<std::optional<Result<Listing>>> listings(dump.files.size());
  {
    Progress progress("opening " + path, listings.size(),
                      Progress::Unit::kItems, options.show_progress);
    ParallelFor(listings.size(), options.threads, [&](size_t i, size_t) {
      const std::string full =
          dump.root.empty() ? dump.files[i] : dump.root + "/" + dump.files[i];
      listings[i] = ListFile(full, options.hints);
      progress.Add(1);
    });
  }
  for (uint32_t i = 0; i < listings.size(); ++i) {
    AddListing(i, *std::move(listings[i]), dump);
  }
  return dump;
}

}  // namespace

extern constinit const Source kPlain = {
    .name = "plain",
    .summary = "a folder of array files, or one file",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
