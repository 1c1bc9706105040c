// Parses JSON for unit tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "policy/pod/pod.hpp"

namespace winadmit::test {

/// A parsed document and the parser that owns it.
class Parsed {
 public:
  explicit Parsed(std::string_view text)
      : text_(text), parser_(std::make_unique<simdjson::dom::parser>()) {
    json_ = parser_->parse(text_).value();
  }

  Json json() const { return json_; }
  JsonObject object() const { return json_.get_object().value(); }
  JsonArray array() const { return json_.get_array().value(); }

 private:
  simdjson::padded_string text_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  Json json_;
};

/// A pod with the given spec.
class ParsedPod : public Parsed {
 public:
  explicit ParsedPod(std::string_view spec)
      : Parsed("{\"spec\":" + std::string(spec) + "}"),
        pod_(read_pod(object(), *find_pod_kind("Pod"))) {}

  const Pod& pod() const { return pod_; }

 private:
  Pod pod_;
};

}  // namespace winadmit::test
