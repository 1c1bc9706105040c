#include "policy/json/hash.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace winadmit {

const std::array<std::uint64_t, 2> Hasher::kKey = [] {
  std::random_device random;
  const auto word = [&] { return std::uint64_t{random()} << 32U | random(); };
  return std::array{word(), word()};
}();

namespace {

/// The first word hashed for each type of value, so that 1, "1" and [1] differ.
enum class Tag : std::uint64_t { null, boolean, integer, unsigned_integer, real, text, list, map };

Hasher begin(Tag tag) { return Hasher().add(static_cast<std::uint64_t>(tag)); }

std::uint64_t hash_of_list(JsonArray list, ListOrder order) {
  if (order == ListOrder::significant) {
    Hasher hash = begin(Tag::list);
    for (const JsonValue entry : list) hash.add(hash_of(entry, order));
    return hash.value();
  }
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
  for (const JsonValue entry : list) {
    sum += Hasher().add(hash_of(entry, order)).value();
    ++count;
  }
  return begin(Tag::list).add(count).add(sum).value();
}

}  // namespace

std::uint64_t hash_of(JsonValue value, ListOrder order) {
  using simdjson::dom::element_type;
  switch (value.type()) {
    case element_type::OBJECT:
      return hash_of(value.get_object().value_unsafe(), order);
    case element_type::ARRAY:
      return hash_of_list(value.get_array().value_unsafe(), order);
    case element_type::STRING:
      return begin(Tag::text).add(value.get_string().value_unsafe()).value();
    case element_type::BOOL:
      return begin(Tag::boolean).add(value.get_bool().value_unsafe() ? 1U : 0U).value();
    case element_type::INT64:
      return begin(Tag::integer)
          .add(static_cast<std::uint64_t>(value.get_int64().value_unsafe()))
          .value();
    case element_type::UINT64:
      return begin(Tag::unsigned_integer).add(value.get_uint64().value_unsafe()).value();
    case element_type::DOUBLE:
      return begin(Tag::real)
          .add(std::bit_cast<std::uint64_t>(value.get_double().value_unsafe()))
          .value();
    case element_type::NULL_VALUE:
      break;
  }
  return begin(Tag::null).value();
}

std::uint64_t hash_of(JsonObject object, ListOrder order) {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
  for (const auto [key, value] : object) {
    sum += Hasher().add(key).add(hash_of(value, order)).value();
    ++count;
  }
  return begin(Tag::map).add(count).add(sum).value();
}

std::size_t HashSet::slot_of(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & mask;
  return slot;
}

void HashSet::reserve(std::size_t size) {
  if (size * 2 > slots_.size()) resize(std::bit_ceil(size * 2));
}

void HashSet::resize(std::size_t slots) {
  std::vector<std::uint64_t> old(slots);
  old.swap(slots_);
  for (const std::uint64_t hash : old) {
    if (hash != 0) slots_[slot_of(hash)] = hash;
  }
}

bool HashSet::insert(std::uint64_t hash) {
  if (hash == 0) hash = 1;
  if (size_ * 2 >= slots_.size()) resize(std::max<std::size_t>(16, slots_.size() * 2));
  std::uint64_t& slot = slots_[slot_of(hash)];
  if (slot == hash) return false;
  slot = hash;
  ++size_;
  return true;
}

bool HashSet::contains(std::uint64_t hash) const {
  if (hash == 0) hash = 1;
  return !slots_.empty() && slots_[slot_of(hash)] == hash;
}

}  // namespace winadmit
