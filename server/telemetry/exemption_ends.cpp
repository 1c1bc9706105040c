#include "server/telemetry/exemption_ends.hpp"

#include <algorithm>
#include <iterator>

#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

std::string to_date(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace

ExemptionEnds::ExemptionEnds(const std::vector<FindingExemption>& exemptions) {
  std::ranges::copy_if(exemptions, std::back_inserter(pending_),
                       [](const FindingExemption& each) { return each.until.has_value(); });
}

void ExemptionEnds::log(std::chrono::sys_days today) {
  std::erase_if(pending_, [today](const FindingExemption& each) {
    if (!each.has_ended(today)) return false;
    LogLine(spdlog::level::warn, "an exemption has ended: its findings count again")
        .with("namespace", each.name_space)
        .with("rule", each.rule)
        .with("reason", each.reason)
        .with("until", to_date(*each.until));
    return true;
  });
}

}  // namespace winadmit::server
