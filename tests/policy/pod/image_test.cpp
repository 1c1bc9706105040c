#include "policy/pod/image.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace winadmit {
namespace {

TEST(Image, IsSplitIntoRepositoryAndTag) {
  struct Case {
    const char* reference;
    const char* repository;
    const char* tag;
  };
  constexpr Case kCases[] = {
      {"app", "app", ""},
      {"app:1", "app", "1"},
      {"registry:5000/team/app", "registry:5000/team/app", ""},
      {"registry:5000/team/app:1.2", "registry:5000/team/app", "1.2"},
      {"registry:5000/team/app:1.2@sha256:abc", "registry:5000/team/app", "1.2"},
      {"app@sha256:abc", "app", ""},
      {"app:", "app", ""},
      {"", "", ""},
      {"a b/", "a b/", ""},
  };
  for (const Case& each : kCases) {
    const Image image = parse_image(each.reference);
    EXPECT_EQ(image.repository, each.repository) << each.reference;
    EXPECT_EQ(image.tag, each.tag) << each.reference;
  }
}

TEST(Image, IsWindowsOnlyByItsRepository) {
  for (const char* const windows :
       {"mcr.microsoft.com/windows/servercore:ltsc2022", "mcr.microsoft.com/windows",
        "mcr.microsoft.com/dotnet/framework/aspnet:4.8", "microsoft/nanoserver"}) {
    EXPECT_TRUE(is_windows_only(parse_image(windows))) << windows;
  }
  for (const char* const other :
       {"mcr.microsoft.com/windows-app", "mcr.microsoft.com/dotnet/aspnet:8.0",
        "example.com/mcr.microsoft.com/windows/servercore", "microsoft/nanoserver-tools", ""}) {
    EXPECT_FALSE(is_windows_only(parse_image(other))) << other;
  }
}

TEST(Image, IsLinuxOnlyByItsRepositoryInItsOwnRegistry) {
  for (const char* const linux_only :
       {"nginx", "nginx:1.27", "library/nginx", "docker.io/library/nginx@sha256:0",
        "docker.io/busybox", "index.docker.io/library/ubuntu:24.04",
        "quay.io/prometheus/node-exporter:v1.8.0"}) {
    EXPECT_TRUE(is_linux_only(parse_image(linux_only))) << linux_only;
  }
  for (const char* const other :
       {"redis", "golang", "mongo", "team/nginx", "example.com/library/nginx", "example.com/nginx",
        "nginx:windowsservercore", "mcr.microsoft.com/windows/nanoserver:ltsc2022", "nginx2", ""}) {
    EXPECT_FALSE(is_linux_only(parse_image(other))) << other;
  }
}

TEST(Image, NamesLinuxByItsTag) {
  for (const char* const linux_image :
       {"mcr.microsoft.com/dotnet/aspnet:8.0-jammy",
        "mcr.microsoft.com/dotnet/sdk:8.0-cbl-mariner2.0",
        "mcr.microsoft.com/dotnet/aspnet:8.0-jammy-chiseled-extra", "golang:1.23-bookworm",
        "golang:alpine", "golang:alpine3.20", "golang:1.23-alpine3.20", "python:3.12-slim-bookworm",
        "r.example:5000/app:1_debian.12", "app:alpine-3.20", "app:2.0-linux-amd64", "app:ubi9",
        "app:1-alpine@sha256:0", "app:1.alpine.", "app:v2.1-noble"}) {
    EXPECT_TRUE(has_linux_tag(parse_image(linux_image))) << linux_image;
  }
  for (const char* const other : {"mcr.microsoft.com/dotnet/aspnet:8.0",
                                  "alpine/app:1",
                                  "app-alpine:1",
                                  "app:1-alpinex",
                                  "app:noble-fox",
                                  "app:feature-linux-paths",
                                  "app:fix-noble-crash-4812",
                                  "app:main-buster.12",
                                  "app:20250101-cross-linux-win-amd64",
                                  "app:1.2-win10-linux",
                                  "app:vnext-jammy",
                                  "app:1-xalpine",
                                  "app:1-alpine-windows",
                                  "windows/app:1-alpine",
                                  "app:1-linux-nanoserver-1809",
                                  "app:Alpine",
                                  "app",
                                  "app:",
                                  "app:-",
                                  "app:1-3alpine"}) {
    EXPECT_FALSE(has_linux_tag(parse_image(other))) << other;
  }
}

TEST(Image, FindsALinuxOnlySidecarByContainerNameOrRepository) {
  const auto find = [](std::string_view name, std::string_view image) -> std::string_view {
    const Sidecar* sidecar = find_linux_only_sidecar(name, parse_image(image));
    return sidecar == nullptr ? "" : sidecar->name;
  };
  EXPECT_EQ(find("istio-proxy", "example.com/own:1"), "istio-proxy");
  EXPECT_EQ(find("mesh", "docker.io/istio/proxyv2:1.20"), "istio-proxy");
  EXPECT_EQ(find("agent", "mirror:5000/hashicorp/vault:1"), "vault-agent");
  EXPECT_EQ(find("sidecar", "envoyproxy/envoy:v1.30"), "envoy");
  for (const Sidecar& each : linux_only_sidecars()) {
    const std::string image = "registry.example/" + std::string(each.repository) + ":1";
    EXPECT_EQ(find(each.name, image), each.name);
  }
  EXPECT_EQ(find("mesh", "docker.io/myistio/proxyv2:1.20"), "");
  EXPECT_EQ(find("app", "example.com/app:1"), "");
  EXPECT_EQ(find("", ""), "");
}

TEST(Image, FindsNoLinuxOnlySidecarInAnImageForWindows) {
  for (const auto& [name, image] : std::initializer_list<std::pair<const char*, const char*>>{
           {"istio-proxy", "example.com/proxy:1-nanoserver"},
           {"linkerd-proxy", "example.com/linkerd-proxy-windows:1"},
           {"envoy", "envoyproxy/envoy-windows-ltsc2022:v1.30"},
           {"envoy-sidecar", "envoyproxy/envoy-windows:v1.22"},
           {"daprd", "ghcr.io/dapr/daprd:1.14"},
           {"daprd", "daprio/daprd:1.14-windows-amd64"},
           {"cloud-sql-proxy", "example.com/own:1"},
       }) {
    EXPECT_EQ(find_linux_only_sidecar(name, parse_image(image)), nullptr) << name << ' ' << image;
  }
}

TEST(Image, IsClearlyWindowsByItsTagOrBaseImage) {
  for (const char* const windows :
       {"mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022", "golang:1.22-windowsservercore",
        "mcr.microsoft.com/powershell:lts-nanoserver-1809", "app:windows-1903", "app:1-ltsc2019",
        "registry.local/nanoserver:1709", "mcr.microsoft.com/windows:1903",
        "microsoft/dotnet-framework:4.8"}) {
    EXPECT_TRUE(is_clearly_windows(parse_image(windows))) << windows;
  }
  for (const char* const other :
       {"app:1803", "windows-exporter:0.30", "registry/windows/app:2004", "app:windo", ""}) {
    EXPECT_FALSE(is_clearly_windows(parse_image(other))) << other;
  }
}

}  // namespace
}  // namespace winadmit
