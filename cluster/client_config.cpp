#include "cluster/client_config.hpp"

#include <cstdlib>
#include <regex>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "certs/description.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace winadmit::cluster {
namespace {

const std::filesystem::path kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/// With or without a zone, as in fe80::1%eth0.
bool is_ipv6_address(const std::string& host) {
  constexpr std::size_t kOctets = 16;
  return certs::address_octets(host.substr(0, host.find('%'))).size() == kOctets;
}

}  // namespace

ClientConfig parse_server_url(const std::string& url) {
  static const std::regex kForm(
      R"(https://(?:\[([0-9A-Za-z:.%]+)\]|([0-9A-Za-z._-]+))(?::([0-9]{1,5}))?/?)");
  constexpr int kMaxPort = 65535;
  constexpr std::size_t kMaxUrlLength = 512;  // more than a DNS name has
  if (url.find('@') != std::string::npos)
    throw Error("the URL of the server must not have a user or a password");
  std::smatch parts;
  // std::regex recurses for each character.
  if (url.size() > kMaxUrlLength || !std::regex_match(url, parts, kForm) ||
      (parts[1].matched && !is_ipv6_address(parts[1])) ||
      (parts[3].matched && std::stoi(parts[3]) > kMaxPort)) {
    throw Error(in_quotes(url) + " does not have the form https://HOST[:PORT]");
  }
  return {.host = parts[1].matched ? parts[1] : parts[2],
          .port = parts[3].matched ? parts[3].str() : "443",
          .token_file = {},
          .ca_file = {}};
}

ClientConfig in_cluster_config() {
  const char* host = std::getenv("KUBERNETES_SERVICE_HOST");
  const char* port = std::getenv("KUBERNETES_SERVICE_PORT");
  if (host == nullptr || port == nullptr)
    throw Error(
        "not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  return {.host = host,
          .port = port,
          .token_file = kServiceAccount / "token",
          .ca_file = kServiceAccount / "ca.crt"};
}

std::string in_cluster_namespace() {
  std::error_code error;
  const auto file = kServiceAccount / "namespace";
  return std::filesystem::exists(file, error) ? std::string(trim(read_file(file))) : "";
}

std::string authority(const ClientConfig& config) {
  const bool is_ipv6 = config.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + config.host + "]" : config.host) + ":" + config.port;
}

}  // namespace winadmit::cluster
