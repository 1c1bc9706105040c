#include "cluster/windows_pod.hpp"

namespace winadmit::cluster {

nlohmann::json windows_pod() {
  using nlohmann::json;
  const json resources = {{"cpu", "10m"}, {"memory", "16Mi"}};
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"generateName", "winadmit-verify-"}}},
          {"spec",
           {{"os", {{"name", "windows"}}},
            {"automountServiceAccountToken", false},
            {"securityContext",
             {{"runAsNonRoot", true}, {"windowsOptions", {{"runAsUserName", "ContainerUser"}}}}},
            {"containers",
             json::array({{{"name", "main"},
                           {"image", "mcr.microsoft.com/windows/nanoserver:ltsc2022"},
                           {"resources", {{"requests", resources}, {"limits", resources}}}}})}}}};
}

}  // namespace winadmit::cluster
