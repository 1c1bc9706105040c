// Where an API server is, and the credentials for it.
#pragma once

#include <filesystem>
#include <string>

namespace winadmit::cluster {

struct ClientConfig {
  std::string host;  // a name, or an address without brackets
  std::string port;
  std::filesystem::path token_file;  // read for each call, since the kubelet renews it
  std::filesystem::path ca_file;
};

/// Parses "https://HOST[:PORT]" to host and port. Throws Error.
ClientConfig parse_server_url(const std::string& url);

/// The configuration of a pod, from environment variables and the files of its service account.
/// Throws Error outside of a pod.
ClientConfig in_cluster_config();

/// The namespace of the pod; empty outside of a pod.
std::string in_cluster_namespace();

/// "HOST:PORT", with brackets around an IPv6 address.
std::string authority(const ClientConfig& config);

}  // namespace winadmit::cluster
