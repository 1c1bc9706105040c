// Hashes of JSON values. They are keyed, so that a client cannot choose values that collide.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"

namespace winadmit {

/// SipHash-1-3 over 64-bit words, with a random key for each process.
class Hasher {
 public:
  Hasher& add(std::uint64_t word) {
    v3_ ^= word;
    mix();
    v0_ ^= word;
    return *this;
  }

  Hasher& add(std::string_view text) {
    add(text.size());
    while (!text.empty()) {
      std::uint64_t word = 0;
      const std::size_t size = std::min(text.size(), sizeof word);
      std::memcpy(&word, text.data(), size);
      add(word);
      text.remove_prefix(size);
    }
    return *this;
  }

  std::uint64_t value() const {
    Hasher last = *this;
    last.v2_ ^= 0xFFU;
    for (int i = 0; i < 3; ++i) last.mix();
    return last.v0_ ^ last.v1_ ^ last.v2_ ^ last.v3_;
  }

 private:
  static const std::array<std::uint64_t, 2> kKey;

  void mix() {
    v0_ += v1_;
    v2_ += v3_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ = std::rotl(v0_, 32) + v3_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ = std::rotl(v2_, 32);
  }

  // The constants of the SipHash paper: "somepseudorandomlygeneratedbytes".
  std::uint64_t v0_ = kKey[0] ^ 0x736f6d6570736575U;
  std::uint64_t v1_ = kKey[1] ^ 0x646f72616e646f6dU;
  std::uint64_t v2_ = kKey[0] ^ 0x6c7967656e657261U;
  std::uint64_t v3_ = kKey[1] ^ 0x7465646279746573U;
};

/// Whether lists with the same entries in another order are equal.
enum class ListOrder { significant, ignored };

/// Equal values have equal hashes. The order of members is ignored. Linear in the size of the
/// value.
std::uint64_t hash_of(JsonValue value, ListOrder order);
std::uint64_t hash_of(JsonObject object, ListOrder order);

/// A set of hashes, by open addressing.
class HashSet {
 public:
  /// Returns whether the hash was new.
  bool insert(std::uint64_t hash);
  bool contains(std::uint64_t hash) const;
  /// Makes room for `size` hashes.
  void reserve(std::size_t size);

 private:
  std::size_t slot_of(std::uint64_t hash) const;
  void resize(std::size_t slots);

  std::vector<std::uint64_t> slots_;  // the size is a power of two; 0 marks a free slot
  std::size_t size_ = 0;
};

}  // namespace winadmit
