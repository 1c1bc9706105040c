#include "server/log.hpp"

#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>

namespace winadmit::server {
namespace {

LogFormat the_format = LogFormat::json;  // set once, before threads start

/// spdlog's own standard-output sinks flush every line: a system call for each request, which is a
/// tenth of what a request costs. This one leaves it to the C library's buffer.
class BufferedSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    line_.clear();
    formatter_->format(message, line_);
    std::fwrite(line_.data(), 1, line_.size(), stdout);
  }
  void flush_() override { std::fflush(stdout); }

 private:
  spdlog::memory_buf_t line_;  // its memory is kept for the next
};

}  // namespace

void set_up_logging(spdlog::level::level_enum level, LogFormat format) {
  the_format = format;
  auto logger = std::make_shared<spdlog::logger>("winadmit", std::make_shared<BufferedSink>());
  logger->set_pattern(format == LogFormat::json
                          ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                          : "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v",
                      spdlog::pattern_time_type::utc);
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
    text_ += R"("msg":)";
    append_json_string(text_, message);
  } else {
    text_ += message;
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
