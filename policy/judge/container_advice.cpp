#include "policy/judge/container_advice.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/image_builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/quantity.hpp"
#include "text/printable.hpp"

namespace winadmit {
namespace {

/// What is wrong with the memory of the container, or "".
std::string_view find_memory_fault(JsonObject container) {
  const auto resources = member<JsonObject>(container, "resources");
  const auto amount = [&](std::string_view name) -> std::optional<double> {
    const auto amounts = resources ? member<JsonObject>(*resources, name) : std::nullopt;
    const auto memory = amounts ? member<JsonValue>(*amounts, "memory") : std::nullopt;
    return memory ? read_quantity(*memory) : std::nullopt;
  };
  const auto limit = amount("limits");
  if (!limit) return "has no memory limit";
  // The API server sets a missing request to the limit.
  if (amount("requests").value_or(*limit) != *limit)
    return "has a memory request that differs from its limit";
  return "";
}

/// The value of advice on an image.
std::optional<JsonValue> image_of(const Container& container) {
  JsonValue image;
  if (container.object.at_key("image").get(image) != simdjson::SUCCESS) return std::nullopt;
  return image;
}

class ContainerAdvice {
 public:
  ContainerAdvice(const Pod& pod, AdviceSink& advice) : pod_(pod), advice_(advice) {}

  void advise(const Target& target, const PlatformBuilds& platform) {
    ImageBuilds images(pod_, target, platform);
    const bool advises_on_memory = !advice_.is_off(kAdviceMemory);
    for_each_container(pod_, [&](const Container& container) {
      const Image image = parse_image(string_member(container.object, "image"));
      if (advises_on_memory && container.list != kEphemeralList) advise_on_memory(container);
      if (advise_on_sidecar(container, image)) return;
      if (is_linux_only(image))
        return advise_on_linux_image(container,
                                     echo(image.repository) + " has no image for Windows");
      if (has_linux_tag(image))
        return advise_on_linux_image(container, "the tag " + echo(image.tag) + " names Linux");
      images.add(container, image);
    });
    for (const auto& [container, reason] : images.find_faults()) {
      add_on_image(kAdviceImageBuild, container, reason);
    }
  }

 private:
  bool advise_on_sidecar(const Container& container, const Image& image) {
    const auto name = string_member(container.object, "name");
    const Sidecar* sidecar = find_linux_only_sidecar(name, image);
    if (sidecar == nullptr) return false;
    advice_.add(kAdviceLinuxSidecar, container.path(pod_),
                "container " + in_quotes(name) + " is " + std::string(sidecar->name) +
                    ", which exists for Linux only",
                image_of(container), sidecar->opt_out);
    return true;
  }

  void advise_on_linux_image(const Container& container, const std::string& why) {
    add_on_image(kAdviceLinuxImage, container, "cannot run on Windows: " + why);
  }

  void add_on_image(std::string_view id, const Container& container, std::string_view reason) {
    FieldPath path = container.path(pod_);
    path.enter("image");
    advice_.add(id, path, reason, image_of(container));
  }

  void advise_on_memory(const Container& container) {
    const std::string_view fault = find_memory_fault(container.object);
    if (fault.empty()) return;
    FieldPath path = container.path(pod_);
    path.enter("resources");
    advice_.add(
        kAdviceMemory, path,
        std::string(fault) +
            ", and a Windows node out of memory does not kill a process but pages and slows down");
  }

  const Pod& pod_;
  AdviceSink& advice_;
};

}  // namespace

void advise_on_containers(const Pod& pod, const Target& target, const PlatformBuilds& platform,
                          AdviceSink& advice) {
  ContainerAdvice(pod, advice).advise(target, platform);
}

}  // namespace winadmit
