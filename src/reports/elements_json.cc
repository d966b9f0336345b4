#include "reports/elements_json.h"

#include "reports/json_text.h"

namespace assay {

void AppendInts(const Shape& values, JsonWriter& json) {
  json.BeginArray();
  for (const int64_t value : values) json.Int(value);
  json.EndArray();
}

void AppendElements(std::string_view key, const std::vector<Element>& elements,
                    JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const Element& element : elements) {
    json.BeginObject().Key("index");
    AppendInts(element.index, json);
    json.Key("golden");
    AppendNumber(element.golden, json);
    json.Key("target");
    AppendNumber(element.target, json);
    json.EndObject();
  }
  json.EndArray();
}

std::vector<Element> ReadElements(const JsonReader& json,
                                  std::string_view key) {
  std::vector<Element> elements;
  for (const JsonReader& element : json.Objects(key)) {
    elements.push_back(
        {.index = element.Ints("index"),
         .golden = element.NumberAt("golden").value_or(Number()),
         .target = element.NumberAt("target").value_or(Number())});
  }
  return elements;
}

}  // namespace assay
