#include "server/telemetry/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "server/telemetry/log_writer.hpp"
#include "text/text.hpp"

namespace winadmit::server {
namespace {

constexpr std::size_t kMaxValueSize = 512;

LogFormat log_format = LogFormat::json;  // set before other threads start
std::shared_ptr<LogWriter> log_writer;   // likewise
std::atomic<std::uint64_t> lost_lines{0};

/// Whether the text is printable ASCII that JSON does not escape.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
}

std::string to_json_string(std::string_view text) {
  if (is_plain(text)) return '"' + std::string(text) + '"';
  // Also escapes what is not ASCII: control and direction characters must not reach a terminal.
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void set_up_logging(spdlog::level::level_enum level, LogFormat format) {
  log_format = format;
  log_writer = std::make_shared<LogWriter>(STDOUT_FILENO, lost_lines, [](std::uint64_t count) {
    LogLine(spdlog::level::warn, "log lines lost").with("count", count);
  });
  auto logger = std::make_shared<spdlog::logger>("winadmit", log_writer);
  // %v is what a LogLine has formatted: the remaining members of the object, or the text.
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      format == LogFormat::json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                                : "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v",
      spdlog::pattern_time_type::utc));
  logger->set_error_handler([](const std::string&) {  // the writer has thrown
    lost_lines.fetch_add(1, std::memory_order_relaxed);
  });
  logger->set_level(level);
  logger->flush_on(spdlog::level::warn);
  spdlog::set_default_logger(std::move(logger));
}

void flush_log() {
  if (log_writer) log_writer->wait();
}

std::uint64_t lost_log_lines() { return lost_lines.load(std::memory_order_relaxed); }

LogLine::LogLine(spdlog::level::level_enum level, std::string_view message) noexcept
    : level_(level), is_enabled_(spdlog::default_logger_raw()->should_log(level)) {
  build([&] {
    if (log_format == LogFormat::json) {
      fmt::format_to(std::back_inserter(text_), R"("msg":{})", to_json_string(message));
    } else {
      text_.append(message);
    }
  });
}

LogLine::~LogLine() {
  build([&] {
    spdlog::default_logger_raw()->log(level_, spdlog::string_view_t(text_.data(), text_.size()));
  });
}

template <class Step>
void LogLine::build(Step step) noexcept {
  if (!is_enabled_) return;
  try {
    step();
  } catch (...) {
    is_enabled_ = false;
    lost_lines.fetch_add(1, std::memory_order_relaxed);
  }
}

LogLine& LogLine::with(std::string_view key, std::string_view value) noexcept {
  if (value.empty()) return *this;
  build([&] {
    if (value.size() > kMaxValueSize) {
      add_text(key, truncate_end_utf8(value, kMaxValueSize));
    } else {
      add_text(key, value);
    }
  });
  return *this;
}

void LogLine::add_text(std::string_view key, std::string_view value) {
  const bool is_json = log_format == LogFormat::json;
  if (!is_plain(value) || (!is_json && value.find(' ') != std::string_view::npos)) {
    add(key, to_json_string(value));
  } else if (is_json) {
    add(key, "\"", value, "\"");
  } else {
    add(key, value);
  }
}

void LogLine::add(std::string_view key, const auto&... pieces) {
  const auto append = [this](const auto&... texts) {
    std::size_t at = text_.size();
    text_.resize(at + (std::string_view(texts).size() + ...));
    ((at += std::string_view(texts).copy(text_.data() + at, std::string_view::npos)), ...);
  };
  if (log_format == LogFormat::json) {
    append(",\"", key, "\":", pieces...);
  } else {
    append(" ", key, "=", pieces...);
  }
}

LogLine& LogLine::with_number(std::string_view key, std::string_view digits) noexcept {
  build([&] { add(key, digits); });
  return *this;
}

}  // namespace winadmit::server
