// JSON to and from a Kubernetes API over TLS, with a service account's token. A connection a call:
// there are few of them. What the objects mean is kubernetes' to know.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace winadmit::cluster {

/// Where an API server is, who asks, and whom to trust.
struct Access {
  std::string host;  // a name, or an address without brackets
  std::string port;
  std::filesystem::path token_file;  // read for each call: the kubelet renews it
  std::filesystem::path ca_file;
};

/// "https://host[:port]" to host and port. Throws certs::Error.
Access parse_server(const std::string& url);

/// What the kubelet gives to a pod: environment variables and files. Throws certs::Error outside of
/// a pod.
Access in_cluster_access();

/// The namespace of the pod that this runs in; empty outside of a pod.
std::string in_cluster_namespace();

struct Answer {
  unsigned status = 0;
  nlohmann::json body;
};

/// The addresses of a host. Throws boost::system::system_error.
using Resolve = std::function<std::vector<boost::asio::ip::tcp::endpoint>(const std::string& host,
                                                                          const std::string& port)>;
std::vector<boost::asio::ip::tcp::endpoint> resolve(const std::string& host,
                                                    const std::string& port);

class Client {
 public:
  /// A call ends within `timeout`, the lookup of the host's name included.
  explicit Client(Access access, std::chrono::seconds timeout = std::chrono::seconds(15),
                  Resolve lookup = resolve)
      : access_(std::move(access)), timeout_(timeout), resolve_(std::move(lookup)) {}

  /// `method` is HTTP's; a null `body` sends none. Any status is an answer; what keeps one from
  /// coming throws certs::Error.
  Answer send(const std::string& method, const std::string& path,
              const nlohmann::json& body = nullptr,
              const std::string& content_type = "application/json") const;

  /// What went wrong, as the API server puts it.
  static std::string reason(const Answer& answer);

 private:
  Access access_;
  std::chrono::seconds timeout_;
  Resolve resolve_;
};

/// SHA-256 of the certificate that is served there, as Description has it; empty if there is no
/// answer. It is compared with one that is known, so nothing is to be verified.
std::string served_sha256(const std::string& address, const std::string& port,
                          std::chrono::seconds timeout = std::chrono::seconds(5));

}  // namespace winadmit::cluster
