// From the path of a field, as messages write it, to its JSON Pointer in an object.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace winadmit::cli {

/// "/spec/containers/0/image" for spec.containers[0].image, and "/metadata/annotations/a.b~1c" for
/// metadata.annotations[a.b/c]. Nothing if the object has no such field.
std::optional<std::string> find_pointer(const nlohmann::json& object, std::string_view path);

}  // namespace winadmit::cli
