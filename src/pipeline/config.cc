#include "pipeline/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/input_file.h"
#include "base/text.h"
#include "pipeline/config_files.h"

namespace assay {
namespace {

constexpr uint64_t kLongest = 1 << 20;

// docs/reference/config.md says what each of them does.
constexpr ConfigKey kKeys[] = {
    {"TF_DUMP_STEP", "0"},
    {"FUSION_SWITCH_FILE", ""},
    {"DATA_ROOT_DIR", "precision_data"},
    {"DUMP_GE_GRAPH", "2"},
    {"DUMP_GRAPH_LEVEL", "3"},
    {"OP_DEBUG_LEVEL", "4"},
    {"DUMP_SEED", "2022"},
    {"CMD_ROOT_PATH", "", false},
    {"ASCEND_LOG_PATH", "", false},
    {"LOG_LEVEL", "", false},
    {"NET_TYPE", "", false},
};

const ConfigKey* FindKey(std::string_view name) {
  const auto* found = std::ranges::find(kKeys, name, &ConfigKey::name);
  return found == std::end(kKeys) ? nullptr : found;
}

std::string UnknownKey(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : kKeys) names.push_back(key.name);
  return fmt::format("{} is not a key of Assay; {}", name,
                     DidYouMean(name, names, "it has no effect"));
}

}  // namespace

std::span<const ConfigKey> AllConfigKeys() { return kKeys; }

std::string Config::Text(std::string_view key) const {
  for (const Entry& entry : entries_) {
    if (entry.key == key) return entry.value;
  }
  const ConfigKey* known = FindKey(key);
  return known == nullptr ? "" : std::string(known->otherwise);
}

bool Config::Has(std::string_view key) const {
  return std::ranges::find(entries_, key, &Entry::key) != entries_.end();
}

void Config::Set(std::string_view key, std::string value) {
  const ConfigKey* known = FindKey(key);
  if (known == nullptr) return Note(UnknownKey(key));
  if (!known->used) return Note(fmt::format("{} has no effect here", key));
  std::erase_if(entries_, [&](const Entry& e) { return e.key == key; });
  entries_.push_back({std::string(key), std::move(value)});
}

Result<Config> ParseConfig(std::string_view text, const std::string& path) {
  Config config;
  config.set_file(path);
  if (path.ends_with(".toml")) {
    RETURN_IF_ERROR(ReadTomlConfig(text, path, config));
  } else {
    ReadPythonConfig(text, config);
  }
  return config;
}

Result<Config> ReadConfig(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  if (file.size() > kLongest) {
    return TooLarge("a configuration of {}", BytesText(file.size())).At(path);
  }
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  return ParseConfig(text, path);
}

Result<Config> FindConfig(const std::string& asked) {
  if (!asked.empty()) return ReadConfig(asked);
  for (const char* path : {"assay.toml", "precision_tool/config.py"}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) {
      return ReadConfig(path);
    }
  }
  return Config();
}

}  // namespace assay
