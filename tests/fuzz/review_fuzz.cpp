// Any bytes on any path: the handler never throws, what it answers is a review that echoes the uid
// or a plain line, it never allows what it could not read, and its patch parses and applies.
#include <simdjson.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "server/log.hpp"
#include "server/routes.hpp"

namespace {

using namespace winadmit;
using Json = nlohmann::json;

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "violated: " << what << '\n';
  std::abort();
}

/// One handler for every configuration worth a difference.
struct Server {
  explicit Server(const std::string& yaml)
      : config(server::parse_config(yaml, "fuzz.yaml")),
        policy(config.policy),
        metrics("1.36"),
        handler(policy, config.exempt, metrics, metrics.add_shard()) {}

  server::Config config;
  Policy policy;
  server::Metrics metrics;
  server::Handler handler;
};

std::string from_base64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = (bits << 6U) | static_cast<unsigned>(digit);
    if (++count % 4 != 1) bytes += static_cast<char>(bits >> (6 - 2 * ((count - 1) % 4)) & 0xFFU);
  }
  return bytes;
}

void check_patch(const Json& response, const Json& request) {
  const Json patch = Json::parse(from_base64(response.at("patch").get<std::string>()));
  require(response.at("patchType") == "JSONPatch", "a patch has a type");
  require(patch.is_array() && !patch.empty(), "a patch is a list of operations");
  (void)request.at("object").patch(patch);  // throws where it does not apply
}

void check(const server::Route& route, const server::HttpReply& reply, const std::string& body) {
  require(reply.status == 200 || reply.status == 400, "200 or 400");
  const Json review = Json::parse(body, nullptr, false);
  if (reply.status == 400) {
    require(reply.body.text().find('\n') == reply.body.size() - 1, "one line");
    return;
  }
  const Json answer = Json::parse(reply.body.text());
  const Json& response = answer.at("response");
  require(!review.is_discarded() && review.is_object(), "only JSON is answered");
  require(answer.at("kind") == "AdmissionReview", "answered by a review");
  require(!response.at("uid").get<std::string>().empty(), "a uid is echoed");
  if (!response.at("allowed").get<bool>()) {
    require(route.hook == server::Hook::validate, "placement refuses nothing");
    require(route.mode == server::Mode::enforce, "only enforcing refuses");
    require(!response.at("status").at("message").get<std::string>().empty(),
            "a refusal has reasons");
  }
  if (response.contains("patch")) {
    require(route.hook == server::Hook::mutate, "only placement patches");
    check_patch(response, review.at("request"));
  }
  std::size_t all = 0;
  for (const Json& warning : response.value("warnings", Json::array())) {
    const std::size_t size = warning.get<std::string>().size();
    require(size <= 256, "a warning is short");
    all += size;
  }
  require(all <= 4096, "warnings are few");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server servers[] = {Server(""),
                             Server("strict: true\nsetOs: true\nworkloads: deny\nunplaced: deny\n"),
                             Server("kubernetesVersion: '1.14'\nwindowsRuntimeClasses: [w]\n")};
  static const bool kQuiet = [] {
    server::set_up_logging(spdlog::level::off, server::LogFormat::json);
    return true;
  }();
  (void)kQuiet;
  const std::string body(reinterpret_cast<const char*>(data), size);
  std::string padded = body;
  padded.resize(size + simdjson::SIMDJSON_PADDING);
  for (Server& one : servers) {
    for (const server::Route& route : server::kRoutes) {
      const server::HttpReply reply = one.handler.handle({.method = "POST",
                                                          .target = route.path,
                                                          .content_type = "application/json",
                                                          .body = padded.data(),
                                                          .size = size});
      try {
        check(route, reply, body);
      } catch (const std::exception& error) {
        std::cerr << route.path << ": " << error.what() << '\n' << reply.body.text() << '\n';
        std::abort();
      }
    }
  }
  return 0;
}
