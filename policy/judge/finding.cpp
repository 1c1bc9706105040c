#include "policy/judge/finding.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace winadmit {
namespace {

std::uint64_t hash_of(const FindingView& finding) {
  Hasher hash;
  hash.add(finding.id).add(static_cast<std::uint64_t>(finding.action));
  finding.path.add_identity(hash);
  if (finding.value) hash.add(winadmit::hash_of(*finding.value, ListOrder::ignored));
  return hash.value();
}

}  // namespace

std::string Finding::message() const {
  std::string message;
  message.reserve(message_size());
  append_message(message);
  return message;
}

void Finding::append_message(std::string& to) const {
  to.append(field).append(": ");
  append_text(to);
  to.append(" (").append(id).append(")");
}

void Finding::append_text(std::string& to) const {
  if (!lead.empty()) to.append(lead).append(": ");
  to.append(reason).append("; ").append(instead);
}

void FindingCollector::add(const FindingView& finding) {
  const bool denies = finding.action == Action::deny;
  ++(denies ? denials_ : others_);
  std::vector<Finding>& kept = denies ? kept_denials_ : kept_others_;
  if (kept.size() == max_kept_) return;
  if (kept.empty()) kept.reserve(8);  // a pod that breaks one rule usually breaks several
  kept.push_back({.id = finding.id,
                  .action = finding.action,
                  .field = finding.path.to_string(),
                  .path = finding.path,
                  .lead = finding.lead,
                  .reason = std::string(finding.reason),
                  .instead = finding.instead,
                  .source = finding.source});
}

Findings FindingCollector::extract() {
  Findings findings{.kept = std::move(kept_denials_), .denials = denials_, .total = total()};
  const auto room =
      static_cast<std::ptrdiff_t>(std::min(max_kept_ - findings.kept.size(), kept_others_.size()));
  std::move(kept_others_.begin(), kept_others_.begin() + room, std::back_inserter(findings.kept));
  return findings;
}

void FindingSet::add(const FindingView& finding) { hashes_.insert(hash_of(finding)); }

bool FindingSet::contains(const FindingView& finding) const {
  return hashes_.contains(hash_of(finding));
}

}  // namespace winadmit
