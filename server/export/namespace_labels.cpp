#include "server/export/namespace_labels.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "text/similar.hpp"

namespace winadmit::server {

std::vector<std::string_view> other_modes(std::string_view mode) {
  std::vector<std::string_view> others(kModeValues.begin(), kModeValues.end());
  std::erase(others, mode);
  return others;
}

LabelFault find_label_fault(std::string_view key, std::string_view value) {
  if (!key.starts_with(kLabelPrefix)) return {};
  const auto label = std::ranges::find(kNamespaceLabels, key, &NamespaceLabel::key);
  if (label != kNamespaceLabels.end()) {
    if (std::ranges::find(label->values, value) != label->values.end()) return {};
    return {.reason = fmt::format("\"{}\" has no meaning, so the default applies", value),
            .instead = fmt::format("use one of {}{}", fmt::join(label->values, ", "),
                                   suggestion(value, label->values))};
  }
  std::vector<std::string_view> names;
  names.reserve(kNamespaceLabels.size());
  for (const NamespaceLabel& each : kNamespaceLabels) {
    names.push_back(each.key.substr(kLabelPrefix.size()));
  }
  const std::string_view similar = find_similar(key.substr(kLabelPrefix.size()), names);
  return {.reason = "winadmit does not know this label, so it has no effect",
          .instead = similar.empty()
                         ? fmt::format("use one of {}{}", kLabelPrefix,
                                       fmt::join(names, fmt::format(", {}", kLabelPrefix)))
                         : fmt::format("did you mean {}{}?", kLabelPrefix, similar)};
}

}  // namespace winadmit::server
