#include "executors/ort_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/child_process.h"
#include "base/program_path.h"
#include "base/text.h"
#include "executors/python_words.h"

namespace assay::ort {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "libonnxruntime.so";

std::string Variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

// The library in a folder; of several the last by name. Empty: none.
std::string LibraryIn(const fs::path& folder) {
  std::string found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    const std::string path = entry.path().string();
    if (name.starts_with(kName)) found = std::max(found, path);
  }
  return found;
}

// Where `make setup` puts it.
fs::path CacheFolder() {
  const std::string cache = Variable("XDG_CACHE_HOME");
  return (cache.empty() ? fs::path(Variable("HOME")) / ".cache"
                        : fs::path(cache)) /
         "assay" / "onnxruntime";
}

// The package of the Python that would run executors.
std::string PythonPackage() {
  const auto ran =
      RunChild(PythonWords({"-c",
                            "import importlib.util as u; s = "
                            "u.find_spec('onnxruntime'); "
                            "print(s.submodule_search_locations[0] if s else "
                            "'')"}),
               "");
  if (!ran || ran->exit != 0) return {};
  const std::string_view folder = Trim(ran->out);
  return folder.empty() ? "" : LibraryIn(fs::path(folder) / "capi");
}

// npm's package, in this folder or one above it.
std::string NodePackage() {
  std::error_code failed;
  for (fs::path at = fs::current_path(failed); !failed; at = at.parent_path()) {
    const fs::path package = at / "node_modules/onnxruntime-node/bin";
    for (const auto& entry :
         fs::recursive_directory_iterator(package, failed)) {
      const std::string name = entry.path().filename().string();
      const bool here = entry.path().parent_path().filename() ==
#if defined(__aarch64__)
                        "arm64";
#else
                        "x64";
#endif
      if (here && name.starts_with(kName)) return entry.path().string();
    }
    failed.clear();
    if (at == at.parent_path()) break;
  }
  return {};
}

Result<Library> OpenPath(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return NotFound("the library cannot be opened: {}", dlerror()).At(path);
  }
  const auto base =
      reinterpret_cast<const ApiBase* (*)()>(dlsym(handle, "OrtGetApiBase"));
  if (base == nullptr) {
    return Unsupported("this is no ONNX Runtime").At(path);
  }
  Library library{.path = path, .version = base()->GetVersionString()};
  library.api = base()->GetApi(kApiLevel);
  if (library.api != nullptr) return library;
  return Unsupported("ONNX Runtime {} is too old", library.version)
      .At(path)
      .Hint("1.17 or newer is needed");
}

Result<Library> OpenWanted(const std::string& wanted) {
  std::error_code ignored;
  if (!fs::is_directory(wanted, ignored)) return OpenPath(wanted);
  for (const char* below : {"", "capi", "onnxruntime/capi", "lib"}) {
    const std::string path = LibraryIn(fs::path(wanted) / below);
    if (!path.empty()) return OpenPath(path);
  }
  return NotFound("no {} in this folder", kName).At(wanted);
}

}  // namespace

Result<Library> OpenLibrary(const std::string& wanted) {
  if (!wanted.empty()) return OpenWanted(wanted);
  if (const std::string named = Variable("ASSAY_ORT_LIB"); !named.empty()) {
    return OpenWanted(named);
  }
  const fs::path beside = fs::path(ProgramPath()).parent_path();
  for (const fs::path& folder : {CacheFolder(), beside / "../lib"}) {
    if (const std::string path = LibraryIn(folder); !path.empty()) {
      return OpenPath(path);
    }
  }
  for (const auto find : {PythonPackage, NodePackage}) {
    if (const std::string path = find(); !path.empty()) return OpenPath(path);
  }
  for (const char* name : {"libonnxruntime.so.1", "libonnxruntime.so"}) {
    if (auto library = OpenPath(name)) return library;
  }
  return NotFound("no ONNX Runtime library here")
      .Hint(
          "'make setup' or 'pip install onnxruntime' brings one; --ort-lib "
          "or ASSAY_ORT_LIB names it");
}

}  // namespace assay::ort
