// The predicates about paths: of hostPath volumes, of mounts and of programs. Named pipes are such
// paths.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/phrase.hpp"
#include "policy/rules/predicate.hpp"
#include "policy/rules/predicates.hpp"

namespace winadmit {

bool value_names_a_pipe(JsonValue, const Context&);
bool value_is_a_pipe_in_other_spelling(JsonValue, const Context&);
bool value_is_socket_in_host_process_pod(JsonValue, const Context&);
bool value_is_linux_path(JsonValue, const Context&);
bool value_is_root_of_c(JsonValue, const Context&);
bool value_leaves_volume(JsonValue, const Context&);
bool value_leaves_volume_or_is_rooted(JsonValue, const Context&);
bool value_starts_linux_program(JsonValue, const Context&);

namespace detail {

/// The type of a hostPath volume that is a named pipe; "" for another volume, too.
std::string_view type_of_pipe(JsonValue host_path);

/// Paths that every Linux node has and that no software for Windows nodes uses. Not among them:
/// /var/log/pods, /var/lib/kubelet, /etc/cni, /opt/cni, /usr/local/bin, /run/flannel and others
/// that the kubelet and CNI plugins have on Windows nodes too, below C:.
inline constexpr auto kLinuxPaths = std::to_array<std::string_view>({
    "/boot",
    "/dev",
    "/etc/group",
    "/etc/localtime",
    "/etc/machine-id",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki",
    "/etc/ssl",
    "/etc/systemd",
    "/lib/modules",
    "/lib64",
    "/proc",
    "/run/containerd/containerd.sock",
    "/run/docker.sock",
    "/run/log/journal",
    "/run/systemd",
    "/run/udev",
    "/sbin",
    "/sys",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/sbin",
    "/usr/share",
    "/usr/src",
    "/var/lib/docker",
    "/var/log/journal",
    "/var/run/containerd/containerd.sock",
    "/var/run/docker.sock",
});

inline constexpr auto kLinuxProgramFolders =
    std::to_array<std::string_view>({"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/"});

}  // namespace detail

template <Literal... Words>
bool pipe_type_is_one_of(JsonValue value, const Context&) {
  const std::string_view type = detail::type_of_pipe(value);
  return ((type == Words.view()) || ...);
}

// NOLINTBEGIN(readability-identifier-naming): part of a sentence in a row of the table.

/// For a hostPath volume.
template <Literal... Types>
inline constexpr Cel kPipeTypeIsOneOf{
    detail::kCelList<"$value.?path.orValue('').startsWith('\\\\\\\\.\\\\pipe\\\\') && "
                     "$value.?type.orValue('') in [",
                     "]", Types...>};
inline constexpr Predicate pipe_as_directory =
    Predicate(pipe_type_is_one_of<"Directory", "DirectoryOrCreate">,
              kPipeTypeIsOneOf<"Directory", "DirectoryOrCreate">,
              "has the path of a named pipe (\\\\.\\pipe\\...) and the type of a directory",
              JsonType::object, "{path,type}")
        .reads_siblings();
inline constexpr Predicate pipe_as_directory_or_socket =
    Predicate(
        pipe_type_is_one_of<"Directory", "DirectoryOrCreate", "Socket">,
        kPipeTypeIsOneOf<"Directory", "DirectoryOrCreate", "Socket">,
        "has the path of a named pipe (\\\\.\\pipe\\...) and the type of a directory or Socket",
        JsonType::object, "{path,type}")
        .reads_siblings();

/// For the path of a hostPath volume. The kubelet and containerd compare with \\.\pipe\ as it is.
inline constexpr Predicate pipe_in_other_spelling{
    value_is_a_pipe_in_other_spelling,
    Cel(R"($value.orValue('').matches(r'^[/\\][/\\][.][/\\][Pp][Ii][Pp][Ee][/\\]') && )"
        R"(!$value.orValue('').startsWith('\\\\.\\pipe\\'))"),
    R"(is the path of a named pipe in another spelling than \\.\pipe\NAME, such as //./pipe/NAME)",
    JsonType::string};

/// For the type of a hostPath volume.
inline constexpr Predicate socket_in_host_process_pod{
    value_is_socket_in_host_process_pod,
    Cel("$value.orValue('') == 'Socket' && $pod.isHostProcess"),
    "is Socket and every container is a HostProcess container", JsonType::string};

/// For the name of a volumeMount.
inline constexpr Predicate names_a_pipe_of_host_process{
    value_names_a_pipe, Cel("$value.orValue('') in $pod.pipes"),
    "names a hostPath volume \\\\.\\pipe\\... in a pod whose containers are all HostProcess "
    "containers",
    JsonType::string};

inline constexpr Predicate linux_path{
    value_is_linux_path,
    Cel(Joined<detail::kLinuxPaths, kCelStrings, "[",
               "].exists(path, $value.orValue('') == path || "
               "$value.orValue('').startsWith(path + '/'))">::kView),
    "is a path of Linux nodes, such as /proc, /sys, /dev, /usr/lib, "
    "/etc/ssl or /var/run/docker.sock",
    JsonType::string};

/// For a mount path. A path without a drive is below C:\, as the kubelet makes it
/// (k8s.io/kubernetes pkg/volume/util, MakeAbsolutePath). Not C: alone, which is no path of a
/// directory. A regular expression follows a bounded depth only.
inline constexpr Predicate root_of_c{
    value_is_root_of_c,
    Cel(R"(!$value.orValue('').contains('..') || $value.orValue('').matches('^[^Cc]:') ? )"
        R"($value.orValue('').matches(r'^(([Cc]:)?[/\\]|[.]([/\\]|$))([/\\]|[.]([/\\]|$))*$') : )"
        R"(($value.orValue('') + '/').matches(r'^(([Cc]:)?[/\\])?(\.?[/\\]|\.\.[/\\])"
        R"(|([^./\\][^/\\]*|\.[^./\\][^/\\]*|\.\.[^/\\]+)[/\\](\.?[/\\])"
        R"(|([^./\\][^/\\]*|\.[^./\\][^/\\]*|\.\.[^/\\]+)[/\\](\.?[/\\])"
        R"(|([^./\\][^/\\]*|\.[^./\\][^/\\]*|\.\.[^/\\]+)[/\\](\.?[/\\])*)"
        R"(\.\.[/\\])*\.\.[/\\])*\.\.[/\\])*$'))",
        "a path that goes more than three folders down and up again is not recognized"),
    R"(is the root of C:, in any spelling, such as C:/., C:\, ., \ or /)", JsonType::string};

/// For a subPath or a subPathExpr. The API server splits it at / only, the kubelet of a Windows
/// node at \ too (k8s.io/kubernetes pkg/kubelet/kubelet_pods.go, makeMounts).
inline constexpr Predicate leaves_volume{
    value_leaves_volume,
    Cel(R"($value.orValue('').matches(r'^[A-Za-z]:[/\\]|(^|[/\\])[.][.]([/\\]|$)'))"),
    R"(is an absolute path such as C:\data, or has a part ".." between slashes or backslashes)",
    JsonType::string};

/// Since 1.30 the kubelet takes a path without a drive for an absolute one, too
/// (k8s.io/kubernetes pkg/util/filesystem, IsAbs).
inline constexpr Predicate leaves_volume_or_is_rooted{
    value_leaves_volume_or_is_rooted,
    Cel(R"($value.orValue('').matches(r'^([A-Za-z]:)?[/\\]|(^|[/\\])[.][.]([/\\]|$)'))"),
    R"(is an absolute path such as C:\data or \data, or has a part ".." between slashes or )"
    "backslashes",
    JsonType::string};

/// For a command: its first entry is in /bin, /sbin, /usr/bin or /usr/sbin.
inline constexpr Predicate starts_linux_program{
    value_starts_linux_program,
    Cel(Joined<detail::kLinuxProgramFolders, kCelStrings, "$value.orValue([]).size() > 0 && [",
               "].exists(folder, $value.orValue([''])[0].startsWith(folder))">::kView),
    "starts a program in /bin, /sbin, /usr/bin or /usr/sbin", JsonType::list};

// NOLINTEND(readability-identifier-naming)

}  // namespace winadmit
