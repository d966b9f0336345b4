#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/shape.h"
#include "executors/ort_library.h"

namespace assay::ort {

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// How sessions are made.
struct Settings {
  int level = 0;    // of graph optimisation: 0, 1, 2, 99
  int threads = 0;  // 0: all cores
  bool flush_denormals = false;
};

// What a session tells of an output before it runs.
struct OutputType {
  std::string name;
  bool tensor = false;
  int type = 0;  // ONNX's number
  Shape shape;   // -1: not known
};

// One input: its values must outlive the runs.
struct Feed {
  std::string name;
  int type = 0;
  Shape shape;
  std::string_view bytes;
};

// A tensor that a run made; it belongs to the runtime.
struct Fetched {
  Owned<Value> value;
  bool tensor = false;
  int type = 0;
  Shape shape;
  const char* data = nullptr;
};

// A model, loaded. All failures have the runtime's own words.
class LoadedModel {
 public:
  static Result<LoadedModel> FromFile(const Library& library,
                                      const std::string& path,
                                      const Settings& settings);
  // No file is referred to.
  static Result<LoadedModel> FromBytes(const Library& library,
                                       std::string_view bytes,
                                       const Settings& settings);

  Result<std::vector<OutputType>> Outputs() const;
  // Those outputs, in this order. Feeds that the model does not take are left
  // out: a cut model may need fewer.
  Result<std::vector<Fetched>> Run(std::span<const Feed> feeds,
                                   std::span<const std::string> names) const;

 private:
  LoadedModel(const Api& api, Owned<Env> env, Owned<Session> session)
      : api_(&api), env_(std::move(env)), session_(std::move(session)) {}
  Result<std::vector<std::string>> InputNames() const;
  template <typename Make>
  static Result<LoadedModel> Create(const Library& library,
                                    const Settings& settings, const Make& make);

  const Api* api_;
  Owned<Env> env_;
  Owned<Session> session_;
};

}  // namespace assay::ort
