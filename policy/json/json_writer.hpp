// Writes JSON as text without building a document: for the request path.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace winadmit {

/// Appends the text as a JSON string. Invalid UTF-8 is replaced by U+FFFD.
void append_json_string(fmt::memory_buffer& to, std::string_view text);

/// Appends values and sets the commas between them. The caller closes what it opens and gives each
/// member a key.
class JsonWriter {
 public:
  explicit JsonWriter(fmt::memory_buffer& to) : to_(to) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view text);
  JsonWriter& number(std::int64_t number);
  JsonWriter& boolean(bool value) { return json(value ? "true" : "false"); }
  /// A value that is JSON already.
  JsonWriter& json(std::string_view value);

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  fmt::memory_buffer& to_;
  bool wants_comma_ = false;
};

}  // namespace winadmit
