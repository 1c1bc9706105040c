#include "certs/watch.hpp"

#include <array>
#include <utility>

namespace winadmit::certs {
namespace {

/// Names a content without keeping a second copy of the private key in memory.
std::string digest(const Pem& pem) {
  // The length keeps a byte that moves from one file to the other from going unnoticed.
  const std::string text = std::to_string(pem.certificate.size()) + ':' + pem.certificate + pem.key;
  std::string hash(static_cast<std::size_t>(EVP_MD_get_size(EVP_sha256())), '\0');
  EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(hash.data()), nullptr,
             EVP_sha256(), nullptr);
  return hash;
}

}  // namespace

Watcher::Watcher(Files files, Serve serve, Read read, Clock clock)
    : files_(std::move(files)),
      serve_(std::move(serve)),
      read_(std::move(read)),
      clock_(std::move(clock)) {}

Watcher::Change Watcher::poll() {
  std::string content;
  try {
    const Pem pem = read_both();
    content = digest(pem);
    if (content == served_) {
      // Back to what is served: should the same fault return, it is news again.
      reported_.clear();
      return {};
    }
    const Pair pair =
        parse_pair(pem, {.certificate = files_.certificate.string(), .key = files_.key.string()});
    check_serving(pair, clock_());
    serve_(pair);
    if (!served_.empty()) ++reloads_;
    served_ = std::move(content);
    reported_.clear();
    return {.served = describe(pair.leaf()), .error = {}};
  } catch (const Error& error) {
    ++failures_;
    std::string failure = content + error.what();
    if (failure == std::exchange(reported_, failure)) return {};
    return {.served = std::nullopt, .error = error.what()};
  }
}

Pem Watcher::read_both() const {
  // The directory may be swapped between the two reads. It is not swapped twice in a row.
  constexpr int kAttempts = 3;
  Pem pem;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    pem.certificate = read_(files_.certificate);
    pem.key = read_(files_.key);
    if (read_(files_.certificate) == pem.certificate) break;
  }
  return pem;
}

}  // namespace winadmit::certs
