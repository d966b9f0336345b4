#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// One key of the configuration, called as precision_tool calls it.
struct ConfigKey {
  std::string_view name;
  std::string_view otherwise;  // its value where no file sets it
  bool used = true;            // false: read, and without effect here
};
std::span<const ConfigKey> AllConfigKeys();

// What a configuration file says.
class Config {
 public:
  // The value of a key; its default if the file does not set it.
  std::string Text(std::string_view key) const;
  bool Has(std::string_view key) const;
  const std::string& file() const { return file_; }  // empty: none was read
  // Keys that are not known or have no effect; lines that are no plain value.
  const std::vector<std::string>& notes() const { return notes_; }

  void Set(std::string_view key, std::string value);
  void Note(std::string text) { notes_.push_back(std::move(text)); }
  void set_file(std::string file) { file_ = std::move(file); }

 private:
  struct Entry {
    std::string key, value;
  };
  std::string file_;
  std::vector<Entry> entries_;
  std::vector<std::string> notes_;
};

// TOML, or the lines `KEY = 'value'` of precision_tool's config.py; the name
// tells which. Code in config.py is never run.
Result<Config> ParseConfig(std::string_view text, const std::string& path);
Result<Config> ReadConfig(const std::string& path);

// The file asked for; else assay.toml or precision_tool/config.py of the
// working folder; else none.
Result<Config> FindConfig(const std::string& asked);

}  // namespace assay
