// Reloads a pair and the client CAs when their files change. The owner calls poll() at intervals.
// The content is compared, so it does not matter how the files change: written in place, renamed,
// or behind a symbolic link that is swapped, as the kubelet does.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::certs {

/// Reads a PEM file that has to be a regular one: a FIFO would block the server. Throws Error.
std::string read_served_file(const std::filesystem::path& file);

class Watcher {
 public:
  struct Files {
    std::filesystem::path certificate;
    std::filesystem::path key;
    std::filesystem::path client_ca = {};  // empty: none
  };

  /// The result of a poll. Empty if nothing changed.
  struct Change {
    std::optional<Description> served;       // the certificate that is served from now on
    std::vector<std::string> warnings = {};  // about that certificate
    bool has_failed = false;                 // there is content that cannot be served
    std::string error = {};                  // why not; reported once
    bool is_restored = false;                // after a failure, the files have what is served
  };

  /// Starts to serve a checked pair, with the CAs of its clients. Throws Error if that fails.
  using Serve = std::function<void(const Pair&, std::vector<Certificate> client_cas)>;
  using Read = std::function<std::string(const std::filesystem::path&)>;
  using Clock = std::function<std::chrono::sys_seconds()>;

  /// Reads nothing before the first poll, which serves a pair or returns an error.
  Watcher(Files files, Serve serve, Read read = read_served_file, Clock clock = current_time);

  /// Reads the files. If their content differs from what is served, checks and serves all of it
  /// together. Content that was refused is checked again at each poll: it may have become valid.
  Change poll();

 private:
  struct Content {
    Pem pair;
    std::string client_ca;
  };
  static std::string digest(const Content& content);
  Content read_all() const;

  Files files_;
  Serve serve_;
  Read read_;
  Clock clock_;
  std::string served_;    // digest of what is served; empty before the first poll
  std::string reported_;  // digest and reason of the last failure
};

}  // namespace winadmit::certs
