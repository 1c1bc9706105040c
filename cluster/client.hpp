// An HTTPS client for a Kubernetes API: JSON in both directions, a bearer token, one connection per
// call.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cluster/client_config.hpp"
#include "cluster/deadline.hpp"

namespace winadmit::cluster {

struct Response {
  unsigned status = 0;
  nlohmann::json body;                     // is_discarded() if the body is not JSON
  std::vector<std::string> warnings = {};  // the values of the Warning headers
};

/// The addresses of a host. Throws boost::system::system_error.
using Resolve = std::function<std::vector<boost::asio::ip::tcp::endpoint>(const std::string& host,
                                                                          const std::string& port)>;
std::vector<boost::asio::ip::tcp::endpoint> resolve(const std::string& host,
                                                    const std::string& port);

class Client {
 public:
  /// `timeout` limits each call, including the lookup of the host's name.
  explicit Client(ClientConfig config, std::chrono::seconds timeout = std::chrono::seconds(15),
                  Resolve lookup = resolve)
      : config_(std::move(config)), timeout_(timeout), resolve_(std::move(lookup)) {}

  /// When calls from now on end at the latest, in addition to the timeout of each.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  /// Sends no body if `body` is null. Returns the response whatever its status. Throws Error
  /// if there is no response, or if the token or the CAs cannot be read.
  Response send(const std::string& method, const std::string& path,
                const nlohmann::json& body = nullptr,
                const std::string& content_type = "application/json") const;

  /// The status and the API server's message.
  static std::string error_message(const Response& response);

 private:
  ClientConfig config_;
  std::chrono::seconds timeout_;
  Deadline deadline_ = kNoDeadline;
  Resolve resolve_;
};

/// The Description::sha256 of the certificate that a server presents; empty if it does not answer
/// within 5 seconds, or until the deadline. The certificate is not verified, because the caller
/// compares it with a known one.
std::string served_sha256(const std::string& address, const std::string& port,
                          Deadline deadline = kNoDeadline);

}  // namespace winadmit::cluster
