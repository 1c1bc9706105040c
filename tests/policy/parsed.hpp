// Parses JSON texts for unit tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "policy/pod/pod.hpp"

namespace winadmit::test {

/// A document with its text and parser, which its values borrow from.
class ParsedJson {
 public:
  explicit ParsedJson(std::string_view text)
      : text_(text), parser_(std::make_unique<simdjson::dom::parser>()) {
    value_ = parser_->parse(text_).value();
  }

  JsonValue value() const { return value_; }
  JsonObject object() const { return value_.get_object().value(); }
  JsonArray array() const { return value_.get_array().value(); }

 private:
  simdjson::padded_string text_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  JsonValue value_;
};

inline const WindowsLabels& no_labels() {
  static const WindowsLabels kNone;
  return kNone;
}

/// A pod with the given spec. `labels` must outlive it.
class ParsedPod : public ParsedJson {
 public:
  explicit ParsedPod(std::string_view spec, const WindowsLabels& labels = no_labels(),
                     std::string_view metadata = "{}")
      : ParsedJson("{\"metadata\":" + std::string(metadata) + ",\"spec\":" + std::string(spec) +
                   "}"),
        pod_(read_pod(object(), *find_pod_kind("Pod"), labels)) {}

  const Pod& pod() const { return pod_; }

 private:
  Pod pod_;
};

}  // namespace winadmit::test
