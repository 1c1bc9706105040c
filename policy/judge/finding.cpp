#include "policy/judge/finding.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace winadmit {

std::string Finding::message() const {
  std::string message;
  message.reserve(message_size());
  append_message(message);
  return message;
}

void Finding::append_message(std::string& to) const {
  to.append(field).append(": ").append(text).append(" (").append(id).append(")");
}

void Findings::add(const Hit& hit) {
  const bool denies = hit.action == Action::deny;
  ++(denies ? denials_ : others_);
  std::vector<Finding>& kept = denies ? kept_denials_ : kept_others_;
  if (kept.size() == kMostKept) return;
  if (kept.empty()) kept.reserve(8);  // a pod that breaks one rule breaks several
  kept.push_back({.id = hit.id,
                  .action = hit.action,
                  .field = hit.path.text(),
                  .path = hit.path,
                  .text = std::string(hit.text)});
}

Found Findings::take() {
  Found found{.kept = std::move(kept_denials_), .denials = denials_, .total = total()};
  const auto room =
      static_cast<std::ptrdiff_t>(std::min(kMostKept - found.kept.size(), kept_others_.size()));
  std::move(kept_others_.begin(), kept_others_.begin() + room, std::back_inserter(found.kept));
  return found;
}

namespace {

std::uint64_t hash_of_hit(const Hit& hit) {
  Hash hash;
  hash.add(hit.id).add(static_cast<std::uint64_t>(hit.action));
  hit.path.add_identity(hash);
  if (hit.value) hash.add(hash_of(*hit.value, Lists::as_sets));
  return hash.value();
}

}  // namespace

void OldFindings::add(const Hit& hit) { hashes_.insert(hash_of_hit(hit)); }

bool OldFindings::had(const Hit& hit) const { return hashes_.contains(hash_of_hit(hit)); }

}  // namespace winadmit
