// The rule table as text for terminals, as JSON, and as Markdown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {

/// What follows from advice without configuration: "warn", "deny", or "off".
std::string_view default_action(const AdviceKind& advice);

/// Stands for the three lists of containers.
inline constexpr std::string_view kContainers = "{C}";
inline constexpr std::string_view kContainersText =
    "containers, initContainers and ephemeralContainers";

/// "spec.{C}[*].securityContext.privileged": the field of a rule from the object's root. For the
/// pod and its containers "spec.securityContext.runAsUser, spec.{C}[*].securityContext.runAsUser".
std::string full_field(const Rule& rule);

/// Whether the row forbids nothing without spec.os, unless the configuration is strict.
bool needs_spec_os_or_strict(const Rule& rule);

/// What is forbidden, in sentences: "true. With strict: any value. Exception: every container is a
/// HostProcess container." In a release of the row, else in any.
std::string forbidden_text(const Rule& rule, std::optional<Version> release = {});

/// The text as a cell of a Markdown table.
std::string markdown_cell(std::string_view text);

/// The rules that hold in `version`, and the advice; without a version, all rules. The lines of the
/// table fit into `width` characters; 0 is any width.
std::string rules_as_table(std::optional<Version> version, std::size_t width = 0);
std::string rules_as_json(std::optional<Version> version);

/// Without a version, the whole of policy/rules/RULES.md.
std::string rules_as_markdown(std::optional<Version> version);

}  // namespace winadmit::cli
