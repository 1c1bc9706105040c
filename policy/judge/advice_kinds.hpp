// The kinds of findings that no rule about a single field can make. Most are advice, which warns.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policy/judge/settings.hpp"
#include "policy/rules/rule_guard.hpp"

namespace winadmit {

/// A kind of advice. The code that finds it has the conditions, and the reasons with the names from
/// the pod.
struct AdviceKind {
  std::string_view id;
  Action action;             // by default; allow: off until configuration turns it on
  std::string_view when;     // what is wrong, as a noun phrase: in documents and exported policies
  std::string_view instead;  // what to do, in the imperative: in messages and documents
  std::string_view source;   // a public document, or a page of docs/ about winadmit's own features
  VersionRange versions = {};
  std::span<const std::string_view> fields = {};  // that it is about, for `winadmit explain`
};

/// For static_assert: texts are clauses without a full stop, and the source is as AdviceKind says.
constexpr bool is_valid(const AdviceKind& kind) {
  return guard::is_clause(kind.when) && guard::is_clause(kind.instead) &&
         (guard::is_public_url(kind.source) || kind.source.starts_with("docs/"));
}

inline constexpr std::string_view kAdviceHint = "advice-os-hint";
/// The reasons of this advice.
inline constexpr std::string_view kWindowsTaintHint =
    "tolerates the taint of Windows nodes, but nothing sends the pod to them";
inline constexpr std::string_view kWindowsImageHint =
    "is a Windows image, but nothing sends the pod to Windows nodes";

inline constexpr std::string_view kAdviceUnplaced = "advice-unplaced";
inline constexpr std::string_view kAdviceWindowsOptions = "advice-windows-options";
inline constexpr std::string_view kAdviceImageBuild = "advice-image-build";
inline constexpr std::string_view kAdviceLinuxSidecar = "advice-linux-sidecar";

inline constexpr std::string_view kAdviceOsLabel = "advice-os-label";
inline constexpr std::string_view kAdviceArch = "advice-arch";
inline constexpr std::string_view kAdviceLinuxImage = "advice-linux-image";
inline constexpr std::string_view kAdviceMemory = "advice-memory";

inline constexpr std::string_view kAdviceDaemonSetBuilds = "advice-daemonset-builds";

/// Given by `winadmit check` alone: the webhooks see no Namespaces.
inline constexpr std::string_view kAdviceNamespaceLabel = "advice-namespace-label";

/// Not advice but a denial: a pod with contradicting scheduling signals can run on no node.
inline constexpr std::string_view kOsConflict = "os-conflict";

std::span<const AdviceKind> advice_kinds();

/// The kind with this id among `kinds`. Throws std::out_of_range if there is none.
const AdviceKind& find_kind(std::span<const AdviceKind> kinds, std::string_view id);

/// The kind with this id among advice_kinds(). Throws std::out_of_range if there is none.
const AdviceKind& advice_kind(std::string_view id);

/// The ids of rules and of advice, each once.
const std::vector<std::string_view>& finding_ids();

/// What follows from a kind of advice in this release and configuration. Throws std::out_of_range
/// if there is no kind with this id.
Action action_of_advice(std::string_view id, const Settings& settings);

}  // namespace winadmit
