#include "tests/server/handler/reviewer.hpp"

#include <algorithm>

#include "bytes/base64.hpp"
#include "server/telemetry/log.hpp"

namespace winadmit::test {
namespace {

std::string_view group_of(std::string_view kind) {
  const auto found = std::ranges::find(pod_kinds(), kind, &PodKind::kind);
  return found == pod_kinds().end() ? std::string_view{} : found->group;
}

Json review(const Json& object, std::string_view kind, std::string_view operation) {
  return {{"kind", "AdmissionReview"},
          {"apiVersion", "admission.k8s.io/v1"},
          {"request",
           {{"uid", "test-uid"},
            {"kind", {{"group", group_of(kind)}, {"version", "v1"}, {"kind", kind}}},
            {"namespace", "default"},
            {"operation", operation},
            {"userInfo", {{"username", "jane"}, {"groups", {"system:authenticated"}}}},
            {"object", object}}}};
}

/// Turns the log off; the tests of log lines turn it on.
const bool kQuiet = [] {
  server::set_up_logging(spdlog::level::off, server::LogFormat::json);
  return true;
}();

}  // namespace

Json Answer::patch() const {
  if (!response.contains("patch")) return Json::array();
  return Json::parse(from_base64(response.at("patch").get<std::string>()).value());
}

std::vector<std::string> Answer::warnings() const {
  return response.value("warnings", std::vector<std::string>{});
}

std::vector<std::string> Answer::refused() const {
  std::vector<std::string> found;
  if (!response.contains("status") || !response["status"].contains("details")) return found;
  for (const Json& cause : response["status"]["details"]["causes"]) {
    found.push_back(cause.at("field").get<std::string>() + " (" +
                    cause.at("reason").get<std::string>() + ")");
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> Answer::warned() const {
  std::vector<std::string> found;
  for (const std::string& warning : warnings()) found.push_back(short_form(warning));
  std::ranges::sort(found);
  return found;
}

bool Answer::is_plain_allow() const {
  return status == 200 && allowed() && response.size() == 2;  // uid, allowed
}

std::string short_form(std::string_view message) {
  const std::size_t colon = message.find(": ");
  const std::size_t id = message.rfind('(');
  if (colon == std::string_view::npos || id == std::string_view::npos) return std::string(message);
  return std::string(message.substr(0, colon)) + ' ' + std::string(message.substr(id));
}

Reviewer::Reviewer(const std::string& yaml)
    : config_(server::parse_config(yaml, "test.yaml")),
      policy_(config_.policy),
      metrics_("1.36"),
      handler_(policy_, config_.exempt, metrics_.add_thread()) {
  (void)kQuiet;
}

const server::HttpReply& Reviewer::handle(std::string_view method, std::string_view target,
                                          std::string_view content_type, std::string_view body) {
  std::string padded(body);
  padded.resize(body.size() + simdjson::SIMDJSON_PADDING);
  return handler_.handle({.method = method,
                          .target = target,
                          .content_type = content_type,
                          .body = std::string_view(padded).substr(0, body.size())});
}

Answer Reviewer::post(std::string_view target, std::string_view body) {
  Answer answer;
  const server::HttpReply& reply = handle("POST", target, "application/json", body);
  answer.status = reply.status;
  answer.body = reply.text();
  if (reply.status == 200) answer.response = Json::parse(answer.body).at("response");
  return answer;
}

Json pod(Json spec) {
  if (!spec.contains("containers")) {
    spec["containers"] = Json::array({{{"name", "app"}, {"image", "registry.example/app:1"}}});
  }
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", "p"}, {"namespace", "default"}}},
          {"spec", std::move(spec)}};
}

Json windows_pod(Json spec) {
  if (!spec.contains("nodeSelector")) spec["nodeSelector"] = {{"kubernetes.io/os", "windows"}};
  if (!spec.contains("tolerations")) {
    spec["tolerations"] = Json::array(
        {{{"key", "os"}, {"operator", "Equal"}, {"value", "Win1809"}, {"effect", "NoSchedule"}}});
  }
  return pod(std::move(spec));
}

Json workload(std::string_view kind, Json spec) {
  Json pod_template = pod(std::move(spec));
  pod_template.erase("apiVersion");
  pod_template.erase("kind");
  Json made = {{"apiVersion", "v1"}, {"kind", kind}, {"metadata", {{"name", "w"}}}};
  if (kind == "PodTemplate") {
    made["template"] = std::move(pod_template);
  } else if (kind == "CronJob") {
    made["spec"]["jobTemplate"]["spec"]["template"] = std::move(pod_template);
  } else {
    made["spec"]["template"] = std::move(pod_template);
  }
  return made;
}

Json create(const Json& object, std::string_view kind) { return review(object, kind, "CREATE"); }

Json update(const Json& old_object, const Json& object, std::string_view kind,
            std::string_view subresource) {
  Json made = review(object, kind, "UPDATE");
  made["request"]["oldObject"] = old_object;
  if (!subresource.empty()) made["request"]["subResource"] = subresource;
  return made;
}

Json patched(const Json& object, const Answer& answer) {
  return Json::parse(nlohmann::json::parse(object.dump())
                         .patch(nlohmann::json::parse(answer.patch().dump()))
                         .dump());
}

Json with_host_pid(Json object) {
  object["spec"]["hostPID"] = true;
  return object;
}

Json reversed(const Json& value) {
  if (!value.is_structured()) return value;
  if (value.is_array()) {
    Json made = Json::array();
    for (const Json& each : value) made.push_back(reversed(each));
    return made;
  }
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [key, each] : value.items()) members.emplace_back(key, reversed(each));
  Json made = Json::object();
  for (auto it = members.rbegin(); it != members.rend(); ++it) made[it->first] = it->second;
  return made;
}

}  // namespace winadmit::test
