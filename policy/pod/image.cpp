#include "policy/pod/image.hpp"

#include <algorithm>
#include <array>

#include "policy/json/name_table.hpp"

namespace winadmit {
namespace {

// Namespaces end with '/': everything below is Windows. Others are whole repositories.
constexpr std::array<std::string_view, 8> kWindowsOnly = {
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
  std::string_view container;   // the name that its injector gives the container
  std::string_view repository;  // the end of the image's repository; "": the name tells enough
};

// What injectors add to every pod of a namespace without asking for its OS.
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

/// registry/team/app: app.
std::string_view last_part(std::string_view repository) {
  return repository.substr(repository.rfind('/') + 1);
}

/// Most containers are no sidecar, and one look at their name and one at their image's tell.
bool may_be_sidecar(std::string_view container_name, std::string_view repository) {
  struct Names {
    NameTable containers;
    NameTable images;
    Names() {
      for (const Sidecar& each : kLinuxOnlySidecars) {
        containers.add(each.container);
        images.add(last_part(each.repository));
      }
    }
  };
  static const Names kNames;
  return kNames.containers.contains(container_name) ||
         kNames.images.contains(last_part(repository));
}

bool says_windows(std::string_view tag) {
  constexpr std::array<std::string_view, 4> kWords = {"windows", "nanoserver", "servercore",
                                                      "ltsc20"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return tag.find(word) != std::string_view::npos; });
}

/// Whether a repository is `wanted`, in whatever registry or mirror.
bool ends_with_path(std::string_view repository, std::string_view wanted) {
  if (!repository.ends_with(wanted)) return false;
  return repository.size() == wanted.size() ||
         repository[repository.size() - wanted.size() - 1] == '/';
}

}  // namespace

Image parse_image(std::string_view reference) {
  reference = reference.substr(0, reference.find('@'));
  // A colon before the last slash is a registry's port.
  const std::size_t colon = reference.find(':', reference.rfind('/') + 1);
  if (colon == std::string_view::npos) return {reference, {}};
  return {reference.substr(0, colon), reference.substr(colon + 1)};
}

std::span<const std::string_view> windows_only_repositories() { return kWindowsOnly; }

bool is_windows_only(const Image& image) {
  return std::ranges::any_of(kWindowsOnly, [&](std::string_view entry) {
    return entry.ends_with('/') ? image.repository.starts_with(entry) : image.repository == entry;
  });
}

std::string_view find_linux_only_sidecar(std::string_view container_name, const Image& image) {
  if (!may_be_sidecar(container_name, image.repository)) return {};
  const auto sidecar = std::ranges::find_if(kLinuxOnlySidecars, [&](const Sidecar& each) {
    return container_name == each.container || ends_with_path(image.repository, each.repository);
  });
  if (sidecar == kLinuxOnlySidecars.end() || says_windows(image.tag)) return {};
  return sidecar->container;
}

}  // namespace winadmit
