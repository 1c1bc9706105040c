// Arbitrary bytes on every path: the handler never throws; the response is a review with the same
// uid, or one line of text; it is bounded; what cannot be read is never allowed; a patch can be
// applied; and neither white space nor the order of keys changes the response.
#include <simdjson.h>

#include <exception>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "bytes/base64.hpp"
#include "tests/fuzz/properties.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

void check_patch(const Json& response, const Json& request) {
  const Json patch = Json::parse(from_base64(response.at("patch").get<std::string>()).value());
  require(response.at("patchType") == "JSONPatch", "a patch has a type");
  require(patch.is_array() && !patch.empty(), "a patch is a list of operations");
  (void)request.at("object").patch(patch);  // throws if it cannot be applied
}

void check(const server::Route& route, const server::HttpReply& reply, const Json& review) {
  require(reply.status == 200 || reply.status == 400, "200 or 400");
  if (reply.status == 400) {
    require(reply.text().find('\n') == reply.body.size() - 1, "one line");
    return;
  }
  const Json answer = Json::parse(reply.text());
  const Json& response = answer.at("response");
  require(!review.is_discarded() && review.is_object(), "only JSON is answered");
  require(answer.at("kind") == "AdmissionReview", "answered by a review");
  require(!response.at("uid").get<std::string>().empty(), "a uid is echoed");
  const std::size_t patch = response.value("patch", "").size();
  require(reply.body.size() <= 256UL * 1024 + patch, "an answer is bounded");
  if (!response.at("allowed").get<bool>()) {
    require(route.hook == server::Hook::validate, "placement refuses nothing");
    require(route.mode == server::Mode::enforce, "only enforcing refuses");
    require(!response.at("status").at("message").get<std::string>().empty(),
            "a refusal has reasons");
  }
  if (response.contains("patch")) {
    require(route.hook == server::Hook::mutate, "only placement patches");
    check_patch(response, review.at("request"));
  }
  std::size_t all = 0;
  for (const Json& warning : response.value("warnings", Json::array())) {
    const std::size_t size = warning.get<std::string>().size();
    require(size <= 256, "a warning is short");
    all += size;
  }
  require(all <= 4096, "warnings are few");
}

std::size_t members_of(const OrderedJson& value) {
  std::size_t count = value.is_object() ? value.size() : 0;
  if (value.is_structured()) {
    for (const auto& each : value) count += members_of(each);
  }
  return count;
}

OrderedJson reversed(const OrderedJson& value) {
  if (!value.is_structured()) return value;
  OrderedJson made = value.is_array() ? OrderedJson::array() : OrderedJson::object();
  if (value.is_array()) {
    for (const auto& each : value) made.push_back(reversed(each));
    return made;
  }
  std::vector<std::pair<std::string, OrderedJson>> members;
  for (const auto& [key, each] : value.items()) members.emplace_back(key, reversed(each));
  for (auto it = members.rbegin(); it != members.rend(); ++it) made[it->first] = it->second;
  return made;
}

/// The same document with reversed keys and other white space. nullopt if parsers may read it
/// differently: duplicate keys, floating point numbers.
std::optional<std::string> rewritten(const std::string& body) {
  constexpr int kMaxDepth = 512;  // simdjson has a limit too
  std::size_t keys = 0;
  bool has_one_meaning = true;
  const OrderedJson review = OrderedJson::parse(
      body,
      [&](int depth, OrderedJson::parse_event_t event, OrderedJson& value) {
        keys += event == OrderedJson::parse_event_t::key ? 1 : 0;
        has_one_meaning &= depth < kMaxDepth && !value.is_number_float();
        return has_one_meaning;
      },
      false);
  if (!has_one_meaning || review.is_discarded() || members_of(review) != keys) return std::nullopt;
  return reversed(review).dump(3);
}

/// The content of a response as a set: the order of lists does not matter.
std::multiset<std::string> meaning_of(const server::HttpReply& reply) {
  std::multiset<std::string> made = {std::to_string(reply.status)};
  if (reply.status != 200) return made;
  const Json response = Json::parse(reply.text()).at("response");
  made.insert(response.at("uid").get<std::string>());
  made.insert(response.at("allowed").dump());
  if (response.contains("patch")) {
    for (const Json& each :
         Json::parse(from_base64(response.at("patch").get<std::string>()).value())) {
      made.insert(each.dump());
    }
  }
  for (const Json& each : response.value("warnings", Json::array())) made.insert(each.dump());
  if (!response.contains("status")) return made;
  const Json& status = response.at("status");
  made.insert(status.at("code").dump());
  if (!status.contains("details")) return made;
  for (const Json& each : status.at("details").at("causes")) made.insert(each.dump());
  return made;
}

/// Handlers with configurations that change the result.
Judge judges[] = {Judge(""), Judge("strict: true\nsetOs: true\nworkloads: deny\nunplaced: deny\n"),
                  Judge("kubernetesVersion: '1.14'\nwindowsRuntimeClasses: [w]\n"),
                  Judge("platform: any\n"), Judge("platform: aks\nsetOs: true\n")};

const server::HttpReply& post(Judge& judge, const server::Route& route, const std::string& body) {
  std::string padded = body;
  padded.resize(body.size() + simdjson::SIMDJSON_PADDING);
  return judge.handler.handle({.method = "POST",
                               .target = route.path,
                               .content_type = "application/json",
                               .body = std::string_view(padded).substr(0, body.size())});
}

/// `review`: the body, parsed. `same`: the body in another form.
void check(Judge& judge, const server::Route& route, const std::string& body, const Json& review,
           const std::optional<std::string>& same) {
  const server::HttpReply& reply = post(judge, route, body);
  check(route, reply, review);
  if (!same) return;
  const auto expected = meaning_of(reply);
  const auto found = meaning_of(post(judge, route, *same));
  if (found == expected) return;
  for (const std::string& each : expected) std::cerr << "as it came: " << each << '\n';
  for (const std::string& each : found) std::cerr << "rewritten:  " << each << '\n';
  require(false, "the answer depends neither on white space nor on the order of keys");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  disable_logging();
  const std::string body(text_of(data, size));
  const Json review = Json::parse(body, nullptr, false);
  const auto same = rewritten(body);
  // One for each body: with all of them, a run takes five times as long.
  Judge& judge = judges[std::hash<std::string>()(body) % std::size(judges)];
  for (const server::Route& route : server::kRoutes) {
    try {
      check(judge, route, body, review, same);
    } catch (const std::exception& error) {
      std::cerr << route.path << ": " << error.what() << '\n';
      std::abort();
    }
  }
  return 0;
}
