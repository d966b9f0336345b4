#pragma once

#include <string>
#include <string_view>

namespace assay {

// Names of so many characters are too long for a file.
inline constexpr size_t kTooLongName = 255;

// What stands for a name that is too long: the 32 hexadecimal digits of its
// UUID (version 3, namespace DNS).
std::string UuidOf(std::string_view name);

// "NEW,OLD" at the end of a list of replaced names.
void NoteReplacedName(const std::string& list, std::string_view replaced,
                      std::string_view old);

}  // namespace assay
