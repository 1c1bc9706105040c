// Makes reviews from JSON and answers them without a port.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/metrics.hpp"

namespace winadmit::test {

using Json = nlohmann::ordered_json;

/// A parsed answer.
struct Answer {
  int status = 0;
  std::string body;
  Json response;  // null unless the status is 200

  bool allowed() const { return response.value("allowed", false); }
  int code() const { return response.at("status").at("code").get<int>(); }
  std::string message() const { return response.at("status").at("message").get<std::string>(); }
  Json patch() const;  // [] if there is none
  std::vector<std::string> warnings() const;

  /// "spec.hostPID (host-pid)" for each cause of a refusal and for each warning. Sorted.
  std::vector<std::string> refused() const;
  std::vector<std::string> warned() const;

  /// An allow without a patch, warnings or annotations.
  bool is_plain_allow() const;
};

/// "field (rule)" of a message "field: text (rule)".
std::string short_form(std::string_view message);

/// A policy with a configuration, and a handler.
class Reviewer {
 public:
  explicit Reviewer(const std::string& yaml = "");

  Answer post(std::string_view target, std::string_view body);
  Answer send(std::string_view path, const Json& review) { return post(path, review.dump()); }
  const server::HttpReply& handle(std::string_view method, std::string_view target,
                                  std::string_view content_type, std::string_view body);

  server::Metrics& metrics() { return metrics_; }

 private:
  server::Config config_;
  Policy policy_;
  server::Metrics metrics_;
  server::Handler handler_;
};

/// A pod with this spec. It gets one container if the spec has none.
Json pod(Json spec);
/// A Windows pod, placed as by the default configuration.
Json windows_pod(Json spec = Json::object());
/// A workload of this kind with this pod spec in its template.
Json workload(std::string_view kind, Json spec);

Json create(const Json& object, std::string_view kind = "Pod");
Json update(const Json& old_object, const Json& object, std::string_view kind = "Pod",
            std::string_view subresource = "");

/// The object after the patch of the answer.
Json patched(const Json& object, const Answer& answer);

inline const Json kWindowsSelector = {{"kubernetes.io/os", "windows"}};
inline const Json kLinuxSelector = {{"kubernetes.io/os", "linux"}};
inline const Json kKepToleration = {
    {"key", "os"}, {"operator", "Equal"}, {"value", "Win1809"}, {"effect", "NoSchedule"}};
inline const Json kAddKepTolerations = Json::array(
    {{{"op", "add"}, {"path", "/spec/tolerations"}, {"value", Json::array({kKepToleration})}}});

/// Sets a field that Windows pods must not have.
Json with_host_pid(Json object);

/// The same value with all lists and mappings in reverse order.
Json reversed(const Json& value);

inline Json& container(Json& object, std::size_t index = 0) {
  return object["spec"]["containers"][index];
}
inline Json& request(Json& review) { return review["request"]; }

}  // namespace winadmit::test
