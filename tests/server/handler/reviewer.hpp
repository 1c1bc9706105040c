// Reviews made of JSON and answered without a port: for the tests of everything between a body and
// its answer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/config/config.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/metrics.hpp"

namespace winadmit::test {

using Json = nlohmann::ordered_json;

/// An answer, taken apart.
struct Answer {
  int status = 0;
  std::string body;
  Json response;  // null unless the status is 200

  bool allowed() const { return response.value("allowed", false); }
  int code() const { return response.at("status").at("code").get<int>(); }
  std::string message() const { return response.at("status").at("message").get<std::string>(); }
  Json patch() const;  // [] if there is none
  std::vector<std::string> warnings() const;

  /// "spec.hostPID (host-pid)" of each finding: of a refusal, else of the warnings. Sorted.
  std::vector<std::string> refused() const;
  std::vector<std::string> warned() const;

  /// An allow with nothing more to it.
  bool is_plain_allow() const;
};

/// "field: what is wrong (rule)" as "field (rule)".
std::string short_form(std::string_view message);

/// A policy with this configuration, and a thread's worth of handler.
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

/// {"metadata": {"name": "p"}, "spec": ...} with one container, unless the spec has some.
Json pod(Json spec);
/// The same for Windows, placed as the default configuration would.
Json windows_pod(Json spec = Json::object());
/// A workload of that kind around a pod's spec.
Json workload(std::string_view kind, Json spec);

Json create(const Json& object, std::string_view kind = "Pod");
Json update(const Json& old_object, const Json& object, std::string_view kind = "Pod",
            std::string_view subresource = "");

/// The object after the answer's patch.
Json patched(const Json& object, const Answer& answer);

inline const Json kWindowsSelector = {{"kubernetes.io/os", "windows"}};
inline const Json kLinuxSelector = {{"kubernetes.io/os", "linux"}};
inline const Json kKepToleration = {
    {"key", "os"}, {"operator", "Equal"}, {"value", "Win1809"}, {"effect", "NoSchedule"}};
inline const Json kAddKepTolerations = Json::array(
    {{{"op", "add"}, {"path", "/spec/tolerations"}, {"value", Json::array({kKepToleration})}}});

/// What no Windows pod may have.
Json with_host_pid(Json object);

inline Json& container(Json& object, std::size_t index = 0) {
  return object["spec"]["containers"][index];
}
inline Json& request(Json& review) { return review["request"]; }

}  // namespace winadmit::test
