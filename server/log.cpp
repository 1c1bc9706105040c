#include "server/log.hpp"

#include <spdlog/formatter.h>
#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>

namespace winadmit::server {
namespace {

LogFormat the_format = LogFormat::json;  // set once, before threads start

/// What stands before and after what a LogLine says. spdlog's patterns put together every part of
/// the time anew for every line; here all but the milliseconds is kept for the second.
class LineFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    using namespace std::chrono;
    const auto since_epoch = floor<milliseconds>(message.time.time_since_epoch());
    keep_time_of(floor<seconds>(since_epoch));
    const auto thousandth = static_cast<std::size_t>((since_epoch % 1s).count());
    const std::array<char, 4> fraction = {'.', digit(thousandth / 100), digit(thousandth / 10),
                                          digit(thousandth)};
    const std::string_view milliseconds(fraction.data(), fraction.size());
    const std::string_view time(time_.data(), time_.size() - 1);
    const std::string_view payload(message.payload.data(), message.payload.size());
    const auto& level_name = spdlog::level::to_string_view(message.level);
    const std::string_view level(level_name.data(), level_name.size());
    if (the_format == LogFormat::json) {
      append(line, R"({"time":")", time, milliseconds, R"(Z","level":")", level, "\",", payload,
             "}\n");
    } else {
      static constexpr std::string_view kColumn = "       ";  // as wide as "warning"
      const std::string_view rest = kColumn.substr(std::min(level.size(), kColumn.size()));
      append(line, time, milliseconds, "Z ", level, rest, " ", payload, "\n");
    }
  }

  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<LineFormatter>();
  }

 private:
  static char digit(std::size_t number) { return static_cast<char>('0' + number % 10); }

  void keep_time_of(std::chrono::seconds second) {
    if (second == second_) return;
    second_ = second;
    const std::time_t now = second.count();
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::strftime(time_.data(), time_.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  }

  std::chrono::seconds second_{-1};
  std::array<char, 20> time_{};  // "2026-01-02T03:04:05", and a NUL
};

/// spdlog's own standard-output sinks flush every line: a system call for each request, which is a
/// tenth of what a request costs. This one gathers lines.
class BufferedSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  BufferedSink() = default;
  ~BufferedSink() override { flush_(); }
  BufferedSink(const BufferedSink&) = delete;
  BufferedSink& operator=(const BufferedSink&) = delete;

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    formatter_->format(message, lines_);
    if (lines_.size() >= kMostGathered) flush_();
  }
  void flush_() override {
    std::fwrite(lines_.data(), 1, lines_.size(), stdout);
    std::fflush(stdout);
    lines_.clear();
  }

 private:
  /// A pipe's capacity is 64 KB.
  static constexpr std::size_t kMostGathered = 16 * 1024;
  spdlog::memory_buf_t lines_;
};

}  // namespace

void set_up_logging(spdlog::level::level_enum level, LogFormat format) {
  the_format = format;
  auto logger = std::make_shared<spdlog::logger>("winadmit", std::make_shared<BufferedSink>());
  logger->set_formatter(std::make_unique<LineFormatter>());
  logger->set_level(level);
  logger->flush_on(spdlog::level::warn);
  spdlog::set_default_logger(std::move(logger));
  spdlog::flush_every(std::chrono::seconds(1));
}

void flush_log() { spdlog::default_logger_raw()->flush(); }

LogLine::LogLine(spdlog::level::level_enum level, std::string_view message)
    : level_(level), wanted_(spdlog::default_logger_raw()->should_log(level)) {
  if (!wanted_) return;
  text_.reserve(512);
  if (the_format == LogFormat::json) {
    append(text_, R"("msg":)");
    append_json_string(text_, message);
  } else {
    append(text_, message);
  }
}

LogLine::~LogLine() {
  if (wanted_) {
    spdlog::default_logger_raw()->log(level_, spdlog::string_view_t(text_.data(), text_.size()));
  }
}

void LogLine::add(std::string_view key, const auto&... pieces) {
  if (the_format == LogFormat::json) {
    append(text_, ",\"", key, "\":", pieces...);
  } else {
    append(text_, " ", key, "=", pieces...);
  }
}

LogLine& LogLine::with(std::string_view key, std::string_view value) {
  if (!wanted_ || value.empty()) return *this;
  const bool has_spaces =
      the_format == LogFormat::text && value.find(' ') != std::string_view::npos;
  if (!has_spaces && is_plain(value)) return with(key, Plain{value});
  add(key);
  append_json_string(text_, value);
  return *this;
}

LogLine& LogLine::with(std::string_view key, Plain word) {
  if (!wanted_ || word.text.empty()) return *this;
  if (the_format == LogFormat::json) {
    add(key, "\"", word.text, "\"");
  } else {
    add(key, word.text);
  }
  return *this;
}

LogLine& LogLine::with_number(std::string_view key, std::string_view digits) {
  if (!wanted_) return *this;
  add(key, digits);
  return *this;
}

}  // namespace winadmit::server
