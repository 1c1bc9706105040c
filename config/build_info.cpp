#include "config/build_info.hpp"

#include <nlohmann/json.hpp>

#include "policy/rules/version.hpp"

namespace winadmit::server {

std::string version_json() {
  return nlohmann::ordered_json{{"version", kVersion},
                                {"compiler", kCompiler},
                                {"oldestKubernetesVersion", to_string(kOldestVersion)},
                                {"newestKubernetesVersion", to_string(kNewestVersion)}}
      .dump();
}

}  // namespace winadmit::server
