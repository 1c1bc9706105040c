// Log lines: spdlog writes them, this gives them their form. A line is a message and fields; as
// JSON one object, as text `message key=value ...`. Never an object of a request, never a secret.
#pragma once

#include <spdlog/spdlog.h>

#include <concepts>
#include <string>
#include <string_view>

#include "policy/json_text.hpp"

namespace winadmit::server {

enum class LogFormat { json, text };

/// Makes the process-wide logger, to standard output. Lines are written when a buffer is full and
/// once a second; warnings and errors at once.
void set_up_logging(spdlog::level::level_enum level, LogFormat format);

/// Writes out what is buffered.
void flush_log();

class LogLine {
 public:
  LogLine(spdlog::level::level_enum level, std::string_view message);
  ~LogLine();
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;

  LogLine& with(std::string_view key, std::string_view value);
  LogLine& with(std::string_view key, const char* value) {
    return with(key, std::string_view(value));
  }
  /// Of a word: it has no spaces either.
  LogLine& with(std::string_view key, Plain word);
  template <std::integral T>
  LogLine& with(std::string_view key, T value) {
    return with_number(key, std::to_string(value));
  }

 private:
  LogLine& with_number(std::string_view key, std::string_view digits);
  /// Appends a field, and the pieces as its value.
  void add(std::string_view key, const auto&... pieces);

  spdlog::level::level_enum level_;
  bool wanted_;
  TextBuffer text_;
};

}  // namespace winadmit::server
