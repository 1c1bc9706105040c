// A hash table from names to positions, for frequent look-ups: the members that rules read, the ids
// that metrics count.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace winadmit {

/// Distinct names in the order of their addition; at most 65534, none empty. Borrows the names.
class NameTable {
 public:
  static constexpr int kNotFound = -1;

  /// The position of a name; adds it if it is new.
  int add(std::string_view name) {
    if (const int known = find(name); known != kNotFound) return known;
    names_.push_back(name);
    if (names_.size() * 4 > slots_.size()) {
      slots_.assign(std::bit_ceil(names_.size() * 8), kFree);
      mask_ = slots_.size() - 1;
      for (std::size_t i = 0; i + 1 < names_.size(); ++i) enter(i);
    }
    enter(names_.size() - 1);
    return static_cast<int>(names_.size()) - 1;
  }

  const std::vector<std::string_view>& names() const { return names_; }

  /// The position of a name, or kNotFound. Compares lengths first: that excludes most members of a
  /// pod.
  int find(std::string_view name) const {
    if ((lengths_ & length_bit(name)) == 0) return kNotFound;
    for (std::size_t slot = first_slot(name); slots_[slot] != kFree; slot = next(slot)) {
      const int at = slots_[slot] - 1;
      if (names_[static_cast<std::size_t>(at)] == name) return at;
    }
    return kNotFound;
  }

  bool contains(std::string_view name) const { return find(name) != kNotFound; }

 private:
  /// Position plus one; 16 bits, so that the slots stay in the cache.
  using Slot = std::uint16_t;
  static constexpr Slot kFree = 0;

  void enter(std::size_t at) {
    lengths_ |= length_bit(names_[at]);
    std::size_t slot = first_slot(names_[at]);
    while (slots_[slot] != kFree) slot = next(slot);
    slots_[slot] = static_cast<Slot>(at + 1);
  }

  static std::uint64_t length_bit(std::string_view name) {
    return std::uint64_t{1} << std::min<std::size_t>(name.size(), 63);
  }
  std::size_t next(std::size_t slot) const { return (slot + 1) & mask_; }

  /// A cheap hash that suits identifiers: most differ in length, first or last letter.
  std::size_t first_slot(std::string_view name) const {
    const auto front = static_cast<unsigned char>(name.front());
    const auto back = static_cast<unsigned char>(name.back());
    return (name.size() * 31U + front * 7U + back) & mask_;
  }

  std::vector<std::string_view> names_;
  std::vector<Slot> slots_;    // open addressing; the size is a power of two
  std::size_t mask_ = 0;       // slots_.size() - 1
  std::uint64_t lengths_ = 0;  // one bit for each length of a name
};

}  // namespace winadmit
