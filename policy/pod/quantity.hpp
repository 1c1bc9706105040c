// Amounts of a resource, such as "512Mi".
#pragma once

#include <optional>

#include "policy/json/json.hpp"

namespace winadmit {

/// The whole units of a quantity, rounded up as Kubernetes does (k8s.io/apimachinery
/// pkg/api/resource, Quantity.Value); exact to 53 bits. Nothing for another value.
std::optional<double> read_quantity(JsonValue value);

}  // namespace winadmit
