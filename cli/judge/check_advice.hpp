// What `winadmit check` alone reports: the webhooks never see it.
#pragma once

#include <span>

#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/finding.hpp"

namespace winadmit::cli {

inline constexpr std::string_view kMalformedField = "malformed-field";
inline constexpr std::string_view kMisplacedField = "misplaced-field";
inline constexpr std::string_view kUnknownField = "unknown-field";
inline constexpr std::string_view kAdviceFieldRelease = "advice-field-release";
inline constexpr std::string_view kAdviceOsName = "advice-os-name";
inline constexpr std::string_view kAdviceHostProcess = "advice-host-process";
inline constexpr std::string_view kAdviceLinuxUnpinned = "advice-linux-unpinned";
inline constexpr std::string_view kUnusedIgnore = "unused-ignore";

/// These kinds cannot be configured.
std::span<const AdviceKind> check_advice();

/// The kinds of the webhooks, then these.
std::span<const AdviceKind> all_advice();

/// The kind with this id among check_advice(). Throws std::out_of_range if there is none.
const AdviceKind& check_advice_kind(std::string_view id);

/// Adds a warning of the kind with this id among all_advice(). `instead`: by default that of the
/// kind.
void add_warning(std::string_view id, const FieldPath& path, std::string_view reason,
                 FindingSink& findings, std::string_view instead = {});

}  // namespace winadmit::cli
