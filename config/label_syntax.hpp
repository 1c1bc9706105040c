// What the API server accepts as a label of an object, and as a DNS label.
#pragma once

#include <string_view>

namespace winadmit::server {

/// A value of a label that is not empty (k8s.io/apimachinery pkg/util/validation,
/// IsValidLabelValue).
bool is_label_value(std::string_view text);

/// The key of a label: a name, or a prefix in lower case, a slash and a name (the same package,
/// IsQualifiedName).
bool is_label_key(std::string_view text);

/// A DNS subdomain in lower case, such as the name of most objects (the same package,
/// IsDNS1123Subdomain).
bool is_dns_subdomain(std::string_view text);

/// A DNS label, such as the name of a namespace or of a Service (the same package,
/// IsDNS1123Label).
bool is_dns_label(std::string_view text);

}  // namespace winadmit::server
