#include "certs/watch.hpp"

#include <exception>
#include <utility>

#include "bytes/digest.hpp"
#include "certs/serving.hpp"

namespace winadmit::certs {

std::string read_served_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_other(file, error)) throw Error(file.string() + " is not a regular file");
  return read_pem(file);
}

Watcher::Watcher(Files files, Serve serve, Read read, Clock clock)
    : files_(std::move(files)),
      serve_(std::move(serve)),
      read_(std::move(read)),
      clock_(std::move(clock)) {}

Watcher::Change Watcher::poll() {
  std::string content_digest;
  try {
    const Content content = read_all();
    content_digest = digest(content);
    if (content_digest == served_) {
      // If the same failure returns, it is reported again.
      return {.served = std::nullopt, .is_restored = !std::exchange(reported_, {}).empty()};
    }
    const Pair pair = parse_pair(
        content.pair, {.certificate = files_.certificate.string(), .key = files_.key.string()});
    check_serving(pair, clock_());
    std::vector<Certificate> client_cas;
    if (!files_.client_ca.empty())
      client_cas = parse_certificates(content.client_ca, files_.client_ca.string());
    Change change{.served = describe(pair.leaf()), .warnings = warnings_about(pair, files_.key)};
    serve_(pair, std::move(client_cas));
    served_ = std::move(content_digest);
    reported_.clear();
    return change;
  } catch (const std::exception& error) {
    std::string failure = content_digest + error.what();
    const bool is_reported = failure == std::exchange(reported_, failure);
    return {.served = std::nullopt,
            .has_failed = true,
            .error = is_reported ? std::string() : error.what()};
  }
}

/// A digest, so that no second copy of the private key is kept in memory.
std::string Watcher::digest(const Content& content) {
  // With the lengths, a byte that moves from one file to another changes the digest.
  const Pem& pair = content.pair;
  const std::string text = std::to_string(pair.certificate.size()) + ':' +
                           std::to_string(pair.key.size()) + ':' + pair.certificate + pair.key +
                           content.client_ca;
  return sha256_bytes(text);
}

Watcher::Content Watcher::read_all() const {
  // The directory may be swapped between two reads.
  constexpr int kAttempts = 3;
  Content content;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    content.pair.certificate = read_(files_.certificate);
    content.pair.key = read_(files_.key);
    if (!files_.client_ca.empty()) content.client_ca = read_(files_.client_ca);
    if (read_(files_.certificate) == content.pair.certificate) break;
  }
  return content;
}

}  // namespace winadmit::certs
