#include "admission/review_reader.hpp"

#include <new>

#include "text/printable.hpp"

namespace winadmit::server {
namespace {

constexpr std::string_view kV1 = "admission.k8s.io/v1";
constexpr std::string_view kV1Beta1 = "admission.k8s.io/v1beta1";

class Reader {
 public:
  explicit Reader(Review& review) : review_(review) {}

  std::optional<BadRequest> read(JsonValue document) {
    using enum BadRequestReason;
    JsonObject root;
    if (document.get(root) != simdjson::SUCCESS) {
      return BadRequest{not_a_review, "the body must be an AdmissionReview, not " +
                                          std::string(type_name(document))};
    }
    std::optional<std::string_view> kind, version;
    std::optional<JsonObject> request;
    FieldPath path{"AdmissionReview"};
    read_members(root, path, errors_, Member{"kind", kind}, Member{"apiVersion", version},
                 Member{"request", request});
    if (!errors_.empty()) return BadRequest{not_a_review, errors_.message()};
    if (kind != "AdmissionReview") {
      return BadRequest{not_a_review,
                        "kind must be AdmissionReview, not " + in_quotes(kind.value_or(""))};
    }
    if (version != kV1 && version != kV1Beta1) {
      return BadRequest{unknown_version,
                        "apiVersion must be admission.k8s.io/v1 or admission.k8s.io/v1beta1, not " +
                            in_quotes(version.value_or(""))};
    }
    review_.api_version = *version;
    if (!request) return BadRequest{no_request, "the AdmissionReview has no request"};
    read_request(*request);
    if (review_.uid.empty()) {
      return BadRequest{no_uid, errors_.empty() ? "request.uid is missing or longer than 256 bytes"
                                                : errors_.message()};
    }
    if (!errors_.empty()) return BadRequest{bad_request, errors_.message()};
    return std::nullopt;
  }

 private:
  void read_request(JsonObject request) {
    std::optional<std::string_view> uid, operation, subresource, name, name_space;
    std::optional<JsonObject> kind, user_info;
    std::optional<bool> dry_run;
    FieldPath path{"request"};
    read_members(request, path, errors_, Member{"uid", uid}, Member{"kind", kind},
                 Member{"operation", operation}, Member{"subResource", subresource},
                 Member{"name", name}, Member{"namespace", name_space}, Member{"dryRun", dry_run},
                 Member{"userInfo", user_info}, Member{"object", review_.object},
                 Member{"oldObject", review_.old_object});
    review_.dry_run = dry_run.value_or(false);
    if (uid && uid->size() <= kMaxUidSize) review_.uid = *uid;
    review_.operation = operation.value_or("");
    review_.subresource = subresource.value_or("");
    review_.name = name.value_or("");
    review_.name_space = name_space.value_or("");
    if (kind) read_kind(*kind, path);
    if (user_info) read_user(*user_info, path);
  }

  void read_kind(JsonObject kind, FieldPath& path) {
    const ScopedStep step(path, "kind");
    std::optional<std::string_view> name, group;
    read_members(kind, path, errors_, Member{"kind", name}, Member{"group", group});
    review_.kind = name.value_or("");
    review_.group = group.value_or("");
  }

  void read_user(JsonObject user_info, FieldPath& path) {
    const ScopedStep step(path, "userInfo");
    std::optional<std::string_view> user;
    read_members(user_info, path, errors_, Member{"username", user},
                 Member{"groups", review_.groups});
    review_.user = user.value_or("");
  }

  Review& review_;
  FieldErrors errors_;
};

}  // namespace

ParsedReview read_review(JsonValue document) {
  ParsedReview parsed;
  parsed.bad_request = Reader(parsed.review).read(document);
  return parsed;
}

ParsedReview parse_review(simdjson::dom::parser& parser, std::string_view body) {
  ParsedReview parsed;
  if (body.empty()) {
    parsed.bad_request = BadRequest{BadRequestReason::empty_body, "the body is empty"};
    return parsed;
  }
  JsonValue document;
  const auto error = parser.parse(body.data(), body.size(), false).get(document);
  if (error != simdjson::SUCCESS) {
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();  // not an error of the body
    parsed.bad_request =
        BadRequest{BadRequestReason::not_json,
                   std::string("the body is not JSON: ") + simdjson::error_message(error)};
    return parsed;
  }
  return read_review(document);
}

}  // namespace winadmit::server
