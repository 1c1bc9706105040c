// Notices that a pair's files hold another pair. Polled, by whatever timer its owner has: content
// decides, so it does not matter whether the files were written in place, renamed, or swapped by a
// symbolic link to their directory as the kubelet does. Serving the pair is the owner's work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "certs/pair.hpp"

namespace winadmit::certs {

class Watcher {
 public:
  struct Files {
    std::filesystem::path certificate;
    std::filesystem::path key;
  };

  /// What a poll found. Neither set: nothing to do.
  struct Change {
    std::optional<Pair> pair;  // to be served from now on
    std::string error;         // why what lies there is not; said once for each content and reason
  };

  using Read = std::function<std::string(const std::filesystem::path&)>;
  using Clock = std::function<std::chrono::sys_seconds()>;

  /// Watches from what the files hold by the first poll, which so returns a pair or an error.
  explicit Watcher(Files files, Read read = read_file, Clock clock = current_time);

  /// Reads the files and checks them whole if they hold anything but the pair returned last. What
  /// was refused is looked at again each time: it may have become valid, or readable. Never throws
  /// but for want of memory.
  Change poll();

  /// Pairs returned.
  std::uint64_t reloads() const { return reloads_; }

  /// Polls that found something unfit: it goes on rising until somebody mends it.
  std::uint64_t failures() const { return failures_; }

 private:
  Pem read_both() const;

  Files files_;
  Read read_;
  Clock clock_;
  std::string served_;    // digest of the pair returned last
  std::string reported_;  // digest and reason of the failure returned last
  std::uint64_t reloads_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace winadmit::certs
