#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The names in one folder, in the order of the disk.
struct FolderEntries {
  std::vector<std::string> files, folders, links;
  std::vector<std::string> others;  // pipes, sockets, devices
};

// Zero, or the system's number of why the folder cannot be read.
int ReadFolder(const std::string& path, FolderEntries& out);

// The path of a name in a folder; the empty folder adds nothing.
std::string Below(const std::string& folder, std::string_view name);

}  // namespace assay
