// Notices that the files of a pair, or of its clients' CAs, hold something else. Polled, by
// whatever timer its owner has: content decides, so it does not matter whether the files were
// written in place, renamed, or swapped by a symbolic link to their directory as the kubelet does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::certs {

class Watcher {
 public:
  struct Files {
    std::filesystem::path certificate;
    std::filesystem::path key;
    std::filesystem::path client_ca = {};  // empty: there is none
  };

  /// What a poll did. Nothing set: nothing.
  struct Change {
    std::optional<Description> served;       // put into service just now
    std::vector<std::string> warnings = {};  // what is unwise about it
    std::string error = {};  // why what lies there was not; said once for each content and reason
  };

  /// Puts a pair that is in order into service, with the CAs of its clients; throws Error if it
  /// cannot be served all the same.
  using Serve = std::function<void(const Pair&, std::vector<Certificate> client_cas)>;
  using Read = std::function<std::string(const std::filesystem::path&)>;
  using Clock = std::function<std::chrono::sys_seconds()>;

  /// Looks at nothing before the first poll, which serves a pair or returns an error.
  Watcher(Files files, Serve serve, Read read = read_file, Clock clock = current_time);

  /// Reads the files, and if they hold anything but what is in service, checks all of it and serves
  /// it as one. What was refused is tried again each time: it may have become valid, or readable.
  Change poll();

  /// Contents put into service after the first.
  std::uint64_t reloads() const { return reloads_; }

  /// Polls that found something unfit: they go on until somebody mends it.
  std::uint64_t failures() const { return failures_; }

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
  std::string served_;    // digest of what is in service; empty before the first
  std::string reported_;  // digest and reason of the failure returned last
  std::uint64_t reloads_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace winadmit::certs
