// The Windows pod of dry runs.
#pragma once

#include <nlohmann/json.hpp>

namespace winadmit::cluster {

/// A pod that a namespace with Pod Security level restricted and a quota admits.
nlohmann::json windows_pod();

}  // namespace winadmit::cluster
