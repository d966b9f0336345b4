#include "sources/folder_entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace assay {
namespace {

// What an entry is. Most file systems say so in the folder itself; asking for
// each of 100 000 files would take longer than reading them.
unsigned char TypeOf(DIR* folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type;
  struct stat info;
  if (fstatat(dirfd(folder), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return DT_UNKNOWN;
  }
  if (S_ISREG(info.st_mode)) return DT_REG;
  if (S_ISDIR(info.st_mode)) return DT_DIR;
  return S_ISLNK(info.st_mode) ? DT_LNK : DT_UNKNOWN;
}

}  // namespace

int ReadFolder(const std::string& path, FolderEntries& out) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return errno;
  errno = 0;
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    switch (TypeOf(folder, *entry)) {
      case DT_REG:
        out.files.emplace_back(name);
        break;
      case DT_DIR:
        out.folders.emplace_back(name);
        break;
      case DT_LNK:
        out.links.emplace_back(name);
        break;
      default:
        out.others.emplace_back(name);
        break;
    }
    errno = 0;
  }
  const int reason = errno;
  closedir(folder);
  return reason;
}

std::string Below(const std::string& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path += folder;
  if (!folder.empty() && !folder.ends_with('/')) path += '/';
  return path += name;
}

}  // namespace assay
