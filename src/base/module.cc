#include "base/module.h"

#include <dlfcn.h>

#include <filesystem>

#include "base/program_path.h"

namespace assay {

// Beside the program while it is built (a test stands one folder deeper), in
// lib/assay once it is installed.
Result<void*> LoadModule(const std::string& module, const char* entry) {
  const std::filesystem::path program = ProgramPath();
  std::string why = "the program was built without it";
  for (const char* folder : {".", "..", "../lib/assay"}) {
    const auto path = program.parent_path() / folder / module;
    std::error_code none;
    if (!std::filesystem::exists(path, none)) continue;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = handle ? dlsym(handle, entry) : nullptr;
    if (found != nullptr) return found;
    why = dlerror();
  }
  return Unsupported("the part {} is not usable", module)
      .At(program.string())
      .Hint(why);
}

}  // namespace assay
