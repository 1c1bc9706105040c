// Log lines: spdlog writes them, this gives them their form. A line is a message and fields; as
// JSON one object, as text `message key=value ...`. Never an object of a request, never a secret.
#pragma once

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace winadmit::server {

enum class LogFormat { json, text };

/// Makes the process-wide logger, to standard output. A thread of its own writes the lines, so that
/// nobody waits for whoever reads them. What does not fit into 256 KiB meanwhile is lost.
void set_up_logging(spdlog::level::level_enum level, LogFormat format);

/// Waits until what is buffered is written, for a second at most.
void flush_log();

/// Lines that could not be written.
std::uint64_t lost_log_lines();

/// Writes its line when it goes out of scope.
class LogLine {
 public:
  LogLine(spdlog::level::level_enum level, std::string_view message);
  ~LogLine();
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;

  /// An empty value is left out, and one of over 512 bytes is cut. What is not printable ASCII is
  /// escaped as in JSON.
  LogLine& with(std::string_view key, std::string_view value);
  LogLine& with(std::string_view key, const char* value) {
    return with(key, std::string_view(value));
  }
  template <std::integral T>
  LogLine& with(std::string_view key, T value) {
    const fmt::format_int digits(value);
    return with_number(key, {digits.data(), digits.size()});
  }

 private:
  LogLine& with_number(std::string_view key, std::string_view digits);
  void add(std::string_view key, const auto&... pieces);

  spdlog::level::level_enum level_;
  bool wanted_;
  fmt::memory_buffer text_;
};

}  // namespace winadmit::server
