// The fields that send a pod to nodes or make it a Windows pod. In a wrong place they do neither.
#pragma once

#include <span>
#include <string_view>

namespace winadmit::cli {

std::span<const std::string_view> placement_fields();

bool is_placement_field(std::string_view name);

/// The one that was probably meant: nodeSelector for nodeselector, node_selector and nodeSelectors,
/// windowsOptions for windows. "" if there is none.
std::string_view near_placement_field(std::string_view name);

}  // namespace winadmit::cli
