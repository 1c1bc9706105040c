#include "policy/pod/image.hpp"

#include <algorithm>
#include <array>

#include "text/text.hpp"

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

// Repositories without any image for Windows, in Docker Hub where no registry is named. Docker's
// official images: their files in https://github.com/docker-library/official-images never named a
// Windows architecture (those of redis, mongo, python, golang and others do or did). node-exporter:
// https://github.com/prometheus/node_exporter/pull/1726.
constexpr std::array<std::string_view, 19> kLinuxOnlyRepositories = {
    "alpine",
    "busybox",
    "centos",
    "debian",
    "fedora",
    "haproxy",
    "httpd",
    "mariadb",
    "memcached",
    "mysql",
    "nginx",
    "node",
    "php",
    "postgres",
    "prom/node-exporter",
    "quay.io/prometheus/node-exporter",
    "rabbitmq",
    "ruby",
    "ubuntu",
};

// Distributions of Linux and code names of their releases, as tags have them.
constexpr std::array<std::string_view, 19> kLinuxTagWords = {
    "alpine",   "amazonlinux", "azurelinux", "bionic", "bookworm", "bullseye", "buster",
    "chiseled", "debian",      "distroless", "focal",  "jammy",    "linux",    "mariner",
    "noble",    "rhel",        "trixie",     "ubi",    "ubuntu"};

// How a pod gets no sidecar, by the documentation of each injector:
// https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/#controlling-the-injection-policy
constexpr std::string_view kNoIstio =
    "turn it off with the label sidecar.istio.io/inject: \"false\"";
// https://linkerd.io/2/features/proxy-injection/#overriding-injection
constexpr std::string_view kNoLinkerd =
    "turn it off with the annotation linkerd.io/inject: disabled";
// https://developer.hashicorp.com/vault/docs/deploy/kubernetes/injector/annotations
constexpr std::string_view kNoVault =
    "turn it off with the annotation vault.hashicorp.com/agent-inject: \"false\"";
// https://developer.hashicorp.com/consul/docs/reference/k8s/annotation-label
constexpr std::string_view kNoConsul =
    "turn it off with the annotation consul.hashicorp.com/connect-inject: \"false\"";
// https://kuma.io/docs/latest/reference/kubernetes-annotations/
constexpr std::string_view kNoKuma =
    "turn it off with the label kuma.io/sidecar-injection: disabled";
// https://cloud.google.com/kubernetes-engine/docs/how-to/cloud-storage-fuse-csi-driver-sidecar
constexpr std::string_view kNoGcsFuse =
    "remove the annotation gke-gcsfuse/volumes, which asks for it";

// Not daprd, whose image is also for Windows (https://github.com/dapr/dapr/pull/1864).
constexpr std::array<Sidecar, 15> kLinuxOnlySidecars = {{
    {"istio-proxy", "istio/proxyv2", kNoIstio},
    {"istio-init", "istio/proxyv2", kNoIstio},
    {"istio-validation", "istio/proxyv2", kNoIstio},
    {"linkerd-proxy", "linkerd/proxy", kNoLinkerd},
    {"linkerd-init", "linkerd/proxy-init", kNoLinkerd},
    {"linkerd-network-validator", "linkerd/proxy", kNoLinkerd},
    {"vault-agent", "hashicorp/vault", kNoVault},
    {"vault-agent-init", "hashicorp/vault", kNoVault},
    {"consul-dataplane", "hashicorp/consul-dataplane", kNoConsul},
    {"consul-connect-inject-init", "hashicorp/consul-k8s-control-plane", kNoConsul},
    {"kuma-sidecar", "kumahq/kuma-dp", kNoKuma},
    {"kuma-init", "kumahq/kuma-init", kNoKuma},
    {"envoy", "envoyproxy/envoy", "use an image of Envoy for Windows, or turn off its injection",
     false},
    {"cloud-sql-proxy", "cloud-sql-connectors/cloud-sql-proxy",
     "remove it, or connect to a proxy that runs as a pod of its own", false},
    {"gke-gcsfuse-sidecar", "gcs-fuse-csi-driver-sidecar-mounter", kNoGcsFuse},
}};

constexpr std::array<std::string_view, 4> kWindowsWords = {"windows", "nanoserver", "servercore",
                                                           "ltsc20"};

constexpr std::array<std::string_view, 2> kWindowsBaseImages = {"nanoserver", "servercore"};

constexpr std::string_view kTagSeparators = "-_.";
constexpr std::string_view kWindowsTagStart = "win";  // of a part: windows, win10

bool has_windows_word(std::string_view text) {
  return std::ranges::any_of(kWindowsWords, [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// Whether `path` is the last parts of a repository, in any registry or mirror.
bool ends_with_path(std::string_view repository, std::string_view path) {
  if (repository.empty() || repository.back() != path.back()) return false;  // as most
  if (!repository.ends_with(path)) return false;
  return repository.size() == path.size() || repository[repository.size() - path.size() - 1] == '/';
}

const Sidecar* find_sidecar(std::string_view container_name, std::string_view repository) {
  // Several sidecars of an injector have the same image.
  const Sidecar* by_image = nullptr;
  for (const Sidecar& each : kLinuxOnlySidecars) {
    const bool has_name = container_name == each.name;
    const bool has_image = ends_with_path(repository, each.repository);
    if (has_name && (has_image || each.is_named_by_injector_only)) return &each;
    if (has_image && by_image == nullptr) by_image = &each;
  }
  return by_image;
}

}  // namespace

std::span<const std::string_view> windows_words() { return kWindowsWords; }

bool names_windows(const Image& image) {
  return has_windows_word(image.repository) || has_windows_word(image.tag);
}

bool is_clearly_windows(const Image& image) {
  return has_windows_word(image.tag) || is_windows_only(image) ||
         std::ranges::any_of(kWindowsBaseImages, [&](std::string_view name) {
           return image.repository.find(name) != std::string_view::npos;
         });
}

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

bool has_linux_tag(const Image& image) {
  const std::string_view number = image.tag.substr(image.tag.starts_with('v') ? 1 : 0, 1);
  const bool has_version = !number.empty() && is_digit(number.front());
  bool is_found = false;
  bool is_first = true;
  for (std::string_view rest = image.tag; !rest.empty(); is_first = false) {
    std::string_view part = rest.substr(0, rest.find_first_of(kTagSeparators));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.starts_with(kWindowsTagStart)) return false;
    while (!part.empty() && is_digit(part.back())) part.remove_suffix(1);
    if (part.empty()) continue;  // a number, as most parts are
    const bool may_name = is_first ? rest.empty() || is_digit(rest.front()) : has_version;
    is_found |= may_name && std::ranges::find(kLinuxTagWords, part) != kLinuxTagWords.end();
  }
  return is_found && !names_windows(image);
}

std::span<const Sidecar> linux_only_sidecars() { return kLinuxOnlySidecars; }

bool is_linux_only(const Image& image) {
  std::string_view repository = image.repository;
  for (const std::string_view prefix : {"docker.io/", "index.docker.io/", "library/"}) {
    if (repository.starts_with(prefix)) repository.remove_prefix(prefix.size());
  }
  return std::ranges::find(kLinuxOnlyRepositories, repository) != kLinuxOnlyRepositories.end() &&
         !has_windows_word(image.tag);
}

const Sidecar* find_linux_only_sidecar(std::string_view container_name, const Image& image) {
  const Sidecar* const sidecar = find_sidecar(container_name, image.repository);
  return sidecar == nullptr || names_windows(image) ? nullptr : sidecar;
}

}  // namespace winadmit
