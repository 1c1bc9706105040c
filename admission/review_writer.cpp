#include "admission/review_writer.hpp"

#include <string>

#include "bytes/base64.hpp"
#include "policy/json/json_writer.hpp"

namespace winadmit::server {
namespace {

void write_status(JsonWriter& out, const AdmissionResponse& response,
                  std::span<const Finding> causes) {
  out.begin_object();
  out.key("status").string("Failure");
  out.key("message").string(response.message);
  out.key("reason").string(response.reason);
  out.key("code").number(response.code);
  if (!causes.empty()) {
    out.key("details").begin_object().key("causes").begin_array();
    std::string text;
    for (const Finding& cause : causes) {
      text.clear();
      cause.append_text(text);
      out.begin_object();
      out.key("reason").string(cause.id);
      out.key("message").string(text);
      out.key("field").string(cause.field);
      out.end_object();
    }
    out.end_array().end_object();
  }
  out.end_object();
}

std::string patch_as_base64(const Patch& patch) {
  fmt::memory_buffer bytes;
  JsonWriter out(bytes);
  out.begin_array();
  for (const PatchOperation& each : patch) {
    out.begin_object();
    out.key("op").string(each.op).key("path").string(each.path);
    if (each.op != "remove") out.key("value").json(each.value);
    out.end_object();
  }
  out.end_array();
  return to_base64({bytes.data(), bytes.size()});
}

}  // namespace

void write_review(fmt::memory_buffer& to, const Review& review, const AdmissionResponse& response,
                  std::span<const Finding> causes) {
  JsonWriter out(to);
  out.begin_object();
  out.key("kind").string("AdmissionReview").key("apiVersion").string(review.api_version);
  out.key("response").begin_object();
  out.key("uid").string(review.uid).key("allowed").boolean(response.allowed);
  if (!response.allowed) {
    out.key("status");
    write_status(out, response, causes);
  }
  if (!response.patch.empty()) {
    out.key("patchType").string("JSONPatch").key("patch").string(patch_as_base64(response.patch));
  }
  if (!response.warnings.empty()) {
    out.key("warnings").begin_array();
    for (const std::string& warning : response.warnings) out.string(warning);
    out.end_array();
  }
  if (!response.audit_annotations.empty()) {
    out.key("auditAnnotations").begin_object();
    for (const auto& [key, note] : response.audit_annotations) out.key(key).string(note);
    out.end_object();
  }
  out.end_object().end_object();
}

}  // namespace winadmit::server
