#include "export/namespace_labels.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "text/similar.hpp"

namespace winadmit::server {

namespace {

bool selects(const ModeRequirement& required, std::optional<std::string_view> label) {
  return required.is_in ==
         (label && std::ranges::find(required.values, *label) != required.values.end());
}

}  // namespace

std::string_view to_string(Mode mode) { return kModeValues[static_cast<std::size_t>(mode)]; }

ModeRequirement require_modes(const std::vector<Mode>& modes, Mode default_mode) {
  const bool is_default = std::ranges::find(modes, default_mode) != modes.end();
  std::vector<std::string_view> values;
  for (const std::string_view value : kModeValues) {
    const bool is_named =
        std::ranges::any_of(modes, [value](Mode mode) { return to_string(mode) == value; });
    if (is_named != is_default) values.push_back(value);
  }
  return {.is_in = !is_default, .values = std::move(values)};
}

std::optional<Mode> find_mode(std::optional<std::string_view> label, const NamespaceModes& modes) {
  if (modes.opt_in && !label) return std::nullopt;
  for (const Mode mode : {Mode::enforce, Mode::warn, Mode::audit}) {
    if (selects(require_modes({mode}, modes.default_mode), label)) return mode;
  }
  return std::nullopt;
}

std::optional<Os> find_default_os(std::optional<std::string_view> label) {
  if (!label || std::ranges::find(kDefaultOsValues, *label) == kDefaultOsValues.end())
    return std::nullopt;
  if (*label == kDefaultOsValues.back()) return Os::none;
  return *label == to_string(Os::windows) ? Os::windows : Os::linux;
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
