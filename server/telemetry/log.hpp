// Formats log lines for spdlog. A line is a message and fields: one JSON object, or in text form
// `message key=value ...`. Objects of requests and secrets are never logged.
#pragma once

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace winadmit::server {

enum class LogFormat { json, text };

/// Makes the logger of the process. A separate thread writes to standard output, so that a slow
/// reader blocks no request. Lines are lost while 256 KiB wait to be written.
void set_up_logging(spdlog::level::level_enum level, LogFormat format);

/// Waits until all lines are written, for at most one second.
void flush_log();

/// The number of lines that could not be written.
std::uint64_t lost_log_lines();

/// Writes the line on destruction. A line for which there is no memory is lost, and counts as such:
/// exceptions are logged by their handlers, which must not throw.
class LogLine {
 public:
  LogLine(spdlog::level::level_enum level, std::string_view message) noexcept;
  ~LogLine();
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;

  /// Omits an empty value and cuts one of more than 512 bytes. Escapes as JSON all characters that
  /// are not printable ASCII.
  LogLine& with(std::string_view key, std::string_view value) noexcept;
  LogLine& with(std::string_view key, const char* value) noexcept {
    return with(key, std::string_view(value));
  }
  template <std::integral T>
  LogLine& with(std::string_view key, T value) noexcept {
    const fmt::format_int digits(value);
    return with_number(key, {digits.data(), digits.size()});
  }

 private:
  LogLine& with_number(std::string_view key, std::string_view digits) noexcept;
  template <class Step>
  void build(Step step) noexcept;
  void add_text(std::string_view key, std::string_view value);
  void add(std::string_view key, const auto&... pieces);

  spdlog::level::level_enum level_;
  bool is_enabled_;
  fmt::memory_buffer text_;
};

}  // namespace winadmit::server
