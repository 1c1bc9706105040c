#include "cli/judge/apply_patch.hpp"

namespace winadmit::cli {

void apply_patch(const Patch& patch, nlohmann::json& object) {
  nlohmann::json operations = nlohmann::json::array();
  for (const PatchOperation& each : patch) {
    nlohmann::json operation = {{"op", each.op}, {"path", each.path}};
    if (!each.value.empty()) operation["value"] = nlohmann::json::parse(each.value);
    operations.push_back(std::move(operation));
  }
  object.patch_inplace(operations);
}

}  // namespace winadmit::cli
