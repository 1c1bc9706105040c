// Measures the reviews of cases.py: bench_worst FILE... prints the best of three runs in
// milliseconds, for parsing and for the rest on each path. bench_worst --once FILE handles a review
// once on each path, and with spec.os to be set or fields to be removed, to count instructions.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"

namespace {

using namespace winadmit;

/// The best of three runs, in CPU time.
template <class Run>
double milliseconds(Run run) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    run();
    const auto took = static_cast<double>(std::clock() - start);
    best = std::min(best, took * 1000 / CLOCKS_PER_SEC);
  }
  return best;
}

/// A review in memory, with the padding of the server.
struct Review {
  std::string bytes;  // with simdjson's padding
  std::size_t size;
};

Review read(const char* file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  const std::size_t size = bytes.size();
  bytes.resize(size + simdjson::SIMDJSON_PADDING);
  return {std::move(bytes), size};
}

/// The size of the response.
std::size_t handle(server::Handler& handler, std::string_view path, const Review& review) {
  return handler
      .handle({.method = "POST",
               .target = path,
               .content_type = "application/json",
               .body = {review.bytes.data(), review.size}})
      .body.size();
}

/// Removes every field that may be removed.
Settings all_stripped() {
  Settings settings;
  for (const Rule& rule : rules()) {
    if (is_removable(rule.id)) settings.actions.emplace(rule.id, Action::strip);
  }
  return settings;
}

void time(server::Handler& handler, const char* file) {
  const Review review = read(file);
  const double parse = milliseconds([&] {
    simdjson::dom::parser parser;
    (void)parser.parse(review.bytes.data(), review.size, false).error();
  });
  std::size_t answer = 0;
  const auto judging = [&](std::string_view path) {
    return milliseconds([&] { answer = std::max(answer, handle(handler, path, review)); }) - parse;
  };
  const double validate = judging("/validate");
  const double mutate = judging("/mutate");
  std::printf("%-34s %9zu %9.1f %9.1f %9.1f %9zu\n", std::filesystem::path(file).stem().c_str(),
              review.size, parse, validate, mutate, answer);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  server::set_up_logging(spdlog::level::off, server::LogFormat::json);
  const Policy policy{Settings{}};
  Settings settings;
  settings.set_os = true;
  const Policy setting_os(settings);
  const Policy stripping(all_stripped());
  const server::Exemptions exempt;
  server::Metrics metrics(to_string(kNewestVersion));
  server::Handler handler(policy, exempt, metrics.add_thread());
  if (count == 3 && std::string_view(arguments[1]) == "--once") {
    const Review review = read(arguments[2]);
    handle(handler, "/validate", review);
    handle(handler, "/mutate", review);
    server::Handler os_setter(setting_os, exempt, metrics.add_thread());
    handle(os_setter, "/mutate", review);
    server::Handler stripper(stripping, exempt, metrics.add_thread());
    handle(stripper, "/mutate", review);
    return 0;
  }
  std::printf("%-34s %9s %9s %9s %9s %9s\n", "case", "bytes", "parse ms", "validate", "mutate",
              "answer");
  for (int i = 1; i < count; ++i) time(handler, arguments[i]);
}
