// Base64 as a Kubernetes API writes bytes into JSON.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::cluster {

std::string to_base64(std::string_view bytes);

/// Empty if the text is no base64.
std::string from_base64(std::string_view text);

}  // namespace winadmit::cluster
