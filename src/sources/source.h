#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codecs/codec.h"
#include "core/dump.h"
#include "sources/glimpse.h"

namespace assay {

struct OpenOptions {
  CodecHints hints;
  int threads = 1;
  bool show_progress = false;
};

// One directory convention: what the files of a tree are called and where they
// lie. It names tensors; codecs know what is in a file.
struct Source {
  std::string_view name;
  std::string_view summary;
  // Why the path is one of mine; empty when it is not.
  std::string (*recognise)(const Glimpse& glimpse);
  Result<Dump> (*open)(const std::string& path, const OpenOptions&);
};

// In the order of asking; the last one takes any file or folder.
std::span<const Source* const> AllSources();

// Opens a path with the first source that recognises it. A dump without a
// single tensor is an error that says what was found instead.
Result<Dump> OpenSource(const std::string& path, const OpenOptions& options);

// The same without any convention of folders: every file as it is.
Result<Dump> OpenFiles(const std::string& path, const OpenOptions& options);

}  // namespace assay
