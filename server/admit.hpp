// The decision on one review: what the policy says, in the light of operation, path, mode,
// exemptions and the object that was there before.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "policy/policy.hpp"
#include "server/config.hpp"
#include "server/review.hpp"

namespace winadmit::server {

enum class Hook { mutate, validate };
enum class Mode { enforce, warn, audit };

/// One of the webhook paths.
struct Route {
  std::string_view path;
  Hook hook;
  Mode mode = Mode::enforce;
  Os default_os = Os::none;  // what a pod without a signal counts as
};
inline constexpr std::array<Route, 8> kRoutes = {{
    {"/mutate", Hook::mutate},
    {"/mutate/default-windows", Hook::mutate, Mode::enforce, Os::windows},
    {"/mutate/default-linux", Hook::mutate, Mode::enforce, Os::linux},
    {"/validate", Hook::validate},
    {"/validate/default-windows", Hook::validate, Mode::enforce, Os::windows},
    {"/validate/default-linux", Hook::validate, Mode::enforce, Os::linux},
    {"/validate/warn", Hook::validate, Mode::warn},
    {"/validate/audit", Hook::validate, Mode::audit},
}};

/// The route of a path without its query; null if there is none.
const Route* find_route(std::string_view path);

/// What became of a request, for logs and metrics: a closed set.
enum class Outcome {
  skipped,  // nothing that could change a pod spec, or no pod at all
  exempt,
  allowed,
  warned,
  patched,
  denied,
  malformed,
};
inline constexpr std::size_t kOutcomeCount = 7;
std::string_view to_string(Outcome outcome);

struct Admission {
  Decision decision;
  Outcome outcome = Outcome::allowed;
  Target target;
  std::vector<Finding> findings;  // that were judged, most important first
  /// The object could not be read for sure; `decision` refuses it.
  std::optional<BadReview> bad;
};

/// What is answered where there is nothing to judge: 400, with what is wrong.
Admission malformed(BadReview bad);

/// Total, but for std::bad_alloc.
Admission admit(const Review& review, const Route& route, const Policy& policy,
                const Exemptions& exempt);

}  // namespace winadmit::server
