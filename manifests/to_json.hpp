// Documents to JSON as kubectl converts them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Follows sigs.k8s.io/yaml, which kubectl and client-go use: scalars of YAML 1.1, merge keys, keys
/// as strings. Throws ParseError for duplicate keys, keys that are not scalars, numbers that are
/// not finite, and for more than `limits` permits after aliases are expanded.
std::string to_json_text(const Document& document, NodeId node, const Limits& limits = {});

/// The same as a value.
nlohmann::json to_json(const Document& document, NodeId node, const Limits& limits = {});

/// The value of a member, also of one that is merged; kNoNode if there is none. `key`, if not null,
/// becomes the node of its key.
NodeId find_member(const Document& document, NodeId mapping, std::string_view name,
                   NodeId* key = nullptr);

/// The same of a member, or of an entry of a list, whose place is the token. A node that is neither
/// a mapping nor a list has none.
NodeId find_child(const Document& document, NodeId node, const std::string& token,
                  NodeId* key = nullptr);

/// The text of a key in JSON. Throws ParseError.
std::string key_text(const Document& document, NodeId key);

/// Whether a key is the `<<` that merges a mapping.
bool is_merge(const Document& document, NodeId key);

}  // namespace winadmit::manifests
