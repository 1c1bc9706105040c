#include "cluster/verify.hpp"

#include <algorithm>

#include "bytes/error.hpp"
#include "cluster/windows_pod.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr int kRounds = 3;
constexpr seconds kVerifyPoll{1};

/// A deny rule about a field that neither the API server nor Pod Security refuses.
const std::string kRule = "(mount-propagation)";

json unsupported_pod() {
  json pod = windows_pod();
  pod["spec"]["nodeSelector"] = {{"kubernetes.io/os", "windows"}};
  pod["spec"]["volumes"] = json::array({{{"name", "data"}, {"emptyDir", json::object()}}});
  pod["spec"]["containers"][0]["volumeMounts"] = json::array(
      {{{"name", "data"}, {"mountPath", "/data"}, {"mountPropagation", "HostToContainer"}}});
  return pod;
}

/// Whether the answer has the node selector that placement adds, under whatever key.
bool is_placed(const json& pod) {
  const json selector = pod.value(json::json_pointer("/spec/nodeSelector"), json::object());
  return std::any_of(selector.begin(), selector.end(),
                     [](const json& value) { return value == "windows"; });
}

bool names_rule(const std::string& text) { return text.find(kRule) != std::string::npos; }

std::string why_not_placed(const Response& answer) {
  if (answer.status != 201) return "a Windows pod is refused: " + Client::error_message(answer);
  if (answer.body.is_object() && is_placed(answer.body)) return "";
  return "a Windows pod is not placed: the API server does not call the mutating webhook, or the "
         "call fails";
}

std::string why_not(Verdict verdict, const Response& answer) {
  const bool is_refused = answer.status == 403 && names_rule(Client::error_message(answer));
  const bool is_warned = answer.status == 201 &&
                         std::any_of(answer.warnings.begin(), answer.warnings.end(), names_rule);
  if (verdict == Verdict::refused ? is_refused : is_warned) return "";
  if (is_refused) return "an unsupported Windows pod is refused, not only warned of";
  if (is_warned) return "an unsupported Windows pod is only warned of";
  if (answer.status != 201)
    return "an unsupported Windows pod is refused, but not by winadmit: " +
           Client::error_message(answer);
  return "an unsupported Windows pod is admitted: the API server does not call the validating "
         "webhook, or the call fails";
}

std::string verify_once(const Client& client, const VerifyOptions& options) {
  const std::string path = "/api/v1/namespaces/" + options.name_space + "/pods?dryRun=All";
  try {
    const std::string reason = why_not_placed(client.send("POST", path, windows_pod()));
    if (!reason.empty()) return reason;
    return why_not(options.verdict, client.send("POST", path, unsupported_pod()));
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

std::string verify(Client client, const VerifyOptions& options) {
  std::string reported;
  const Deadline deadline = options.clock() + options.wait;
  if (options.wait > seconds(0)) client.set_deadline(deadline);
  for (int rounds = 0; rounds < kRounds;) {
    const std::string reason = verify_once(client, options);
    if (reason.empty()) {
      ++rounds;
      continue;
    }
    rounds = 0;
    if (options.clock() + kVerifyPoll >= deadline) return reason;
    if (reason != reported) options.report("waiting: " + reason);
    reported = reason;
    options.sleep(kVerifyPoll);
  }
  options.report(options.verdict == Verdict::refused
                     ? "a Windows pod is placed, and an unsupported one is refused"
                     : "a Windows pod is placed, and an unsupported one is warned of");
  return "";
}

}  // namespace winadmit::cluster
