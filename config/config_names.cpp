#include "config/config_names.hpp"

#include <algorithm>

#include "config/label_syntax.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "text/similar.hpp"

namespace winadmit::server {

std::string rule_id_error(const std::string& id) {
  const std::vector<std::string_view>& known = finding_ids();
  if (std::ranges::find(known, id) != known.end()) return {};
  return "unknown rule '" + id +
         "': 'winadmit rules' lists all rules; those that only 'winadmit check' reports cannot be "
         "configured" +
         suggestion(id, known);
}

std::string namespace_error(const std::string& name) {
  return is_dns_label(name) ? "" : "'" + name + "' is not the name of a namespace";
}

}  // namespace winadmit::server
