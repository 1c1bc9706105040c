#include "cluster/windows_nodes.hpp"

#include <string_view>

#include "cluster/answer.hpp"
#include "cluster/windows_pod.hpp"
#include "text/text.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;

constexpr const char* kBuildLabel = "node.kubernetes.io/windows-build";

/// A node has up to 20 KB, and the client reads up to 8 MiB.
constexpr int kPageSize = 100;

/// A continue token expires after some minutes.
constexpr int kMaxRestarts = 3;

/// As the value of a parameter in a URL.
std::string encode(std::string_view value) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : value) {
    if (is_alphanumeric(c) || c == '-' || c == '_' || c == '.') {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kHexDigits[byte / 16U], kHexDigits[byte % 16U]};
    }
  }
  return encoded;
}

WindowsNode read_node(const json& object) {
  const json& metadata = object.at("metadata");
  WindowsNode node{.name = metadata.at("name").get<std::string>(),
                   .build = metadata.value("labels", json::object()).value(kBuildLabel, ""),
                   .taints = {}};
  for (const json& taint : list_of(object.at("spec"), "taints")) {
    node.taints.push_back({.key = taint.value("key", ""),
                           .value = taint.value("value", ""),
                           .effect = taint.value("effect", "")});
  }
  return node;
}

}  // namespace

std::optional<std::vector<WindowsNode>> read_windows_nodes(const Client& client) {
  const std::string first =
      "/api/v1/nodes?labelSelector=kubernetes.io%2Fos%3Dwindows&limit=" + std::to_string(kPageSize);
  std::vector<WindowsNode> nodes;
  std::string token;
  int restarts = 0;
  for (;;) {
    const std::string path = token.empty() ? first : first + "&continue=" + encode(token);
    const Response answer = client.send("GET", path);
    if (answer.status == 403) return std::nullopt;
    if (answer.status == 410 && ++restarts <= kMaxRestarts) {
      nodes.clear();
      token.clear();
      continue;
    }
    if (answer.status != 200 || !answer.body.is_object())
      throw Error("GET " + path + ": " + Client::error_message(answer));
    read_answer("GET " + path, [&] {
      for (const json& item : list_of(answer.body, "items")) nodes.push_back(read_node(item));
      token = answer.body.value("metadata", json::object()).value("continue", "");
    });
    if (token.empty()) return nodes;
  }
}

std::vector<PodToleration> read_placed_tolerations(const Client& client,
                                                   const std::string& name_space,
                                                   const std::string& build) {
  json pod = windows_pod();
  pod["spec"]["containers"][0]["image"] = "mcr.microsoft.com/oss/kubernetes/pause:3.9";
  if (!build.empty())
    pod["spec"]["nodeSelector"] = {{"kubernetes.io/os", "windows"}, {kBuildLabel, build}};
  const std::string path = "/api/v1/namespaces/" + name_space + "/pods?dryRun=All";
  const Response answer = client.send("POST", path, pod);
  if (answer.status != 201 || !answer.body.is_object())
    throw Error("a Windows pod is refused: " + Client::error_message(answer));
  return read_answer("POST " + path, [&] {
    std::vector<PodToleration> tolerations;
    for (const json& each : list_of(answer.body.at("spec"), "tolerations")) {
      tolerations.push_back({.key = each.value("key", ""),
                             .op = each.value("operator", ""),
                             .value = each.value("value", ""),
                             .effect = each.value("effect", "")});
    }
    return tolerations;
  });
}

}  // namespace winadmit::cluster
