#include "policy/pod/image.hpp"

#include <algorithm>
#include <array>

#include "policy/json/name_table.hpp"

namespace winadmit {
namespace {

constexpr std::array<std::string_view, 8> kWindowsOnlyRepositories = {
    "mcr.microsoft.com/windows",
    "mcr.microsoft.com/windows/",
    "mcr.microsoft.com/dotnet/framework/",
    "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image",
    "microsoft/windowsservercore",
    "microsoft/nanoserver",
    "microsoft/iis",
    "microsoft/dotnet-framework",
};

struct Sidecar {
  std::string_view container;   // the name that the injector gives the container
  std::string_view repository;  // the last parts of the repository of its image
};

// Sidecars that injectors add to every pod of a namespace, whatever its OS.
constexpr std::array<Sidecar, 16> kLinuxOnlySidecars = {{
    {"istio-proxy", "istio/proxyv2"},
    {"istio-init", "istio/proxyv2"},
    {"istio-validation", "istio/proxyv2"},
    {"linkerd-proxy", "linkerd/proxy"},
    {"linkerd-init", "linkerd/proxy-init"},
    {"linkerd-network-validator", "linkerd/proxy"},
    {"daprd", "daprio/daprd"},
    {"vault-agent", "hashicorp/vault"},
    {"vault-agent-init", "hashicorp/vault"},
    {"consul-dataplane", "hashicorp/consul-dataplane"},
    {"consul-connect-inject-init", "hashicorp/consul-k8s-control-plane"},
    {"kuma-sidecar", "kumahq/kuma-dp"},
    {"kuma-init", "kumahq/kuma-init"},
    {"envoy-sidecar", "envoyproxy/envoy"},
    {"cloud-sql-proxy", "cloud-sql-connectors/cloud-sql-proxy"},
    {"gke-gcsfuse-sidecar", "gcs-fuse-csi-driver-sidecar-mounter"},
}};

/// "app" of "registry/team/app".
std::string_view base_name(std::string_view repository) {
  return repository.substr(repository.rfind('/') + 1);
}

/// Two look-ups that exclude most containers.
bool may_be_sidecar(std::string_view container_name, std::string_view repository) {
  struct Names {
    NameTable containers;
    NameTable images;
    Names() {
      for (const Sidecar& each : kLinuxOnlySidecars) {
        containers.add(each.container);
        images.add(base_name(each.repository));
      }
    }
  };
  static const Names kNames;
  return kNames.containers.contains(container_name) ||
         kNames.images.contains(base_name(repository));
}

bool is_windows_tag(std::string_view tag) {
  constexpr std::array<std::string_view, 4> kWords = {"windows", "nanoserver", "servercore",
                                                      "ltsc20"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return tag.find(word) != std::string_view::npos; });
}

/// Whether `path` is the last parts of a repository, in any registry or mirror.
bool ends_with_path(std::string_view repository, std::string_view path) {
  if (!repository.ends_with(path)) return false;
  return repository.size() == path.size() || repository[repository.size() - path.size() - 1] == '/';
}

}  // namespace

Image parse_image(std::string_view reference) {
  reference = reference.substr(0, reference.find('@'));
  // A colon before the last slash begins the port of the registry.
  const std::size_t colon = reference.find(':', reference.rfind('/') + 1);
  if (colon == std::string_view::npos) return {reference, {}};
  return {reference.substr(0, colon), reference.substr(colon + 1)};
}

std::span<const std::string_view> windows_only_repositories() { return kWindowsOnlyRepositories; }

bool is_windows_only(const Image& image) {
  return std::ranges::any_of(kWindowsOnlyRepositories, [&](std::string_view entry) {
    return entry.ends_with('/') ? image.repository.starts_with(entry) : image.repository == entry;
  });
}

std::string_view find_linux_only_sidecar(std::string_view container_name, const Image& image) {
  if (!may_be_sidecar(container_name, image.repository)) return {};
  const auto sidecar = std::ranges::find_if(kLinuxOnlySidecars, [&](const Sidecar& each) {
    return container_name == each.container || ends_with_path(image.repository, each.repository);
  });
  if (sidecar == kLinuxOnlySidecars.end() || is_windows_tag(image.tag)) return {};
  return sidecar->container;
}

}  // namespace winadmit
