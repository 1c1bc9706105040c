// Container image references, and what a repository's name tells of the OS of its images.
#pragma once

#include <span>
#include <string_view>

namespace winadmit {

struct Image {
  std::string_view repository;  // with the registry; without tag and digest
  std::string_view tag;         // "" without one
};

/// registry:5000/team/app:1.2@sha256:... Total: anything else is all repository.
Image parse_image(std::string_view reference);

/// Repositories that hold images for Windows only; below those that end with '/', every one.
std::span<const std::string_view> windows_only_repositories();

bool is_windows_only(const Image& image);

/// A container, by name and image, of a sidecar that exists for Linux only: the sidecar's name, or
/// "". An image whose tag says Windows is none.
std::string_view find_linux_only_sidecar(std::string_view container_name, const Image& image);

}  // namespace winadmit
