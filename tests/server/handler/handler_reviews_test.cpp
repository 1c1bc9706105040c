// The captured reviews of tests/data/reviews: properties of all of them, and the expected response
// to each (tests/data/reviews-expected; WINADMIT_UPDATE_GOLDEN=1 rewrites it).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "policy/pod/platform.hpp"
#include "tests/server/handler/reviewer.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;

struct Captured {
  std::string name;  // "windows/x.json"
  Json review;
  bool is_create() const { return review["request"]["operation"] == "CREATE"; }
  const Json& object() const { return review["request"]["object"]; }
  std::string kind() const { return review["request"]["kind"]["kind"].get<std::string>(); }
};

std::vector<Captured> load(const std::string& folder = "") {
  std::vector<Captured> found;
  const fs::path root = data("reviews");
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.path().extension() != ".json") continue;
    found.push_back({fs::relative(entry.path(), root).string(), Json::parse(read(entry.path()))});
  }
  std::ranges::sort(found, {}, &Captured::name);
  return found;
}

/// How each manifest selects its OS, by the index of the captured reviews: "explicit:...", "none".
std::map<std::string, std::string> targeting() {
  std::map<std::string, std::string> by_file;
  std::ifstream index(data("reviews") / "index.csv");
  for (std::string line; std::getline(index, line);) {
    std::istringstream fields(line);
    std::string file, field;
    std::getline(fields, file, ',');
    for (int i = 0; i < 4; ++i) std::getline(fields, field, ',');
    by_file[file] = field;
  }
  return by_file;
}

/// Whether the index calls the target a scheduling signal, not "unspecified", "none(...)" or
/// "other-label-only".
bool is_definite(const std::string& target) {
  return target.starts_with("explicit") || target.starts_with("nodeSelector") ||
         target.starts_with("affinity") || target.starts_with("spec.os");
}

/// A review of the same request with another object.
Json with_object(const Json& review, const Json& object) {
  Json made = review;
  made["request"]["object"] = object;
  return made;
}

/// The taint of the build that the images name. No captured pod has images of several builds.
std::string kep_taint(const Json& spec) {
  for (const Json& each : spec.at("containers")) {
    if (each.value("image", "").find("ltsc2022") != std::string::npos) return "Win2022";
  }
  return "Win1809";
}

/// core/v1 Toleration.ToleratesTaint for os=VALUE:NoSchedule, as a second implementation.
bool tolerates_kep_taint(const Json& spec) {
  for (const Json& each : spec.value("tolerations", Json::array())) {
    const std::string key = each.value("key", ""), op = each.value("operator", "Equal"),
                      value = each.value("value", ""), effect = each.value("effect", "");
    if (!effect.empty() && effect != "NoSchedule") continue;
    if (!key.empty() && key != "os") continue;
    if (op == "Exists" || (key == "os" && value == kep_taint(spec))) return true;
  }
  return false;
}

bool selects_windows(const Json& spec) {
  const Json selector = spec.value("nodeSelector", Json::object());
  return selector.value("kubernetes.io/os", selector.value("beta.kubernetes.io/os", "")) ==
         "windows";
}

TEST(HandlerReviews, AreComplete) {
  EXPECT_EQ(load("linux").size(), 60U);
  EXPECT_EQ(load("windows").size(), 64U);
  EXPECT_EQ(load("kinds").size(), 29U);
}

TEST(HandlerReviews, OfLinuxPodsAreAllowedWithoutAPatch) {
  Reviewer reviewer;
  const auto targets = targeting();
  for (const Captured& each : load("linux")) {
    SCOPED_TRACE(each.name);
    ASSERT_TRUE(targets.contains(each.name));
    const bool definite = is_definite(targets.at(each.name));
    for (const server::Route& route : server::kRoutes) {
      SCOPED_TRACE(route.path);
      if (!definite && route.default_os != Os::none) continue;
      EXPECT_TRUE(reviewer.send(route.path, each.review).is_plain_allow());
    }
  }
}

TEST(HandlerReviews, OfWindowsPodsGetPlacementAndNoOtherPatch) {
  Reviewer reviewer;
  std::size_t placed = 0;
  const auto targets = targeting();
  for (const Captured& each : load("windows")) {
    if (!is_definite(targets.at(each.name))) continue;
    SCOPED_TRACE(each.name + ": " + targets.at(each.name));
    const Answer answer = reviewer.send("/mutate", each.review);
    ASSERT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.allowed());
    // A manifest that selects both systems is not patched.
    if (reviewer.send("/validate", each.review).body.find("os-conflict") != std::string::npos) {
      EXPECT_EQ(answer.patch(), Json::array());
      continue;
    }
    for (const Json& operation : answer.patch()) EXPECT_EQ(operation["op"], "add");
    const Json after = patched(each.object(), answer);
    EXPECT_TRUE(selects_windows(after["spec"]));
    EXPECT_TRUE(tolerates_kep_taint(after["spec"]));
    ++placed;

    Json rest = after, before = each.object();
    for (Json* object : {&rest, &before}) {
      (*object)["spec"].erase("nodeSelector");
      (*object)["spec"].erase("tolerations");
    }
    EXPECT_EQ(nlohmann::json::parse(rest.dump()), nlohmann::json::parse(before.dump()));
    // Existing entries keep their order.
    const Json old_tolerations = each.object()["spec"].value("tolerations", Json::array());
    for (std::size_t i = 0; i < old_tolerations.size(); ++i) {
      EXPECT_EQ(nlohmann::json(after["spec"]["tolerations"][i]),
                nlohmann::json(old_tolerations[i]));
    }
    const Json old_selector = each.object()["spec"].value("nodeSelector", Json::object());
    for (const auto& [key, value] : old_selector.items()) {
      EXPECT_EQ(after["spec"]["nodeSelector"][key], value);
    }
  }
  EXPECT_GT(placed, 40U);
}

TEST(HandlerReviews, ArePatchedOnlyOnce) {
  Reviewer reviewer;
  for (const Captured& each : sample(load())) {
    if (!each.is_create()) continue;
    for (const server::Route& route : server::kRoutes) {
      if (route.hook != server::Hook::mutate) continue;
      SCOPED_TRACE(each.name + ' ' + std::string(route.path));
      const Answer first = reviewer.send(route.path, each.review);
      const Json after = patched(each.object(), first);
      EXPECT_EQ(reviewer.send(route.path, with_object(each.review, after)).patch(), Json::array());
    }
  }
}

TEST(HandlerReviews, OfPlacedPodsHaveNoUnplacedWarning) {
  Reviewer reviewer;
  for (const Captured& each : sample(load())) {
    SCOPED_TRACE(each.name);
    for (const std::string suffix : {"", "/default-windows", "/default-linux"}) {
      const Json after = patched(each.object(), reviewer.send("/mutate" + suffix, each.review));
      const bool updates = !each.is_create();  // an UPDATE adds no selector: fixed by then
      if (updates) continue;
      const Answer answer = reviewer.send("/validate" + suffix, with_object(each.review, after));
      EXPECT_EQ(answer.body.find("advice-unplaced"), std::string::npos);
    }
  }
}

TEST(HandlerReviews, ArePlacedOnceOnEveryPlatform) {
  for (const Platform& platform : platforms()) {
    Reviewer reviewer("platform: " + std::string(platform.id));
    for (const Captured& each : sample(load("windows"))) {
      if (!each.is_create()) continue;
      SCOPED_TRACE(std::string(platform.id) + ' ' + each.name);
      const Json after = patched(each.object(), reviewer.send("/mutate", each.review));
      const Json review = with_object(each.review, after);
      EXPECT_EQ(reviewer.send("/mutate", review).patch(), Json::array());
      EXPECT_EQ(reviewer.send("/validate", review).body.find("advice-unplaced"), std::string::npos);
    }
  }
}

TEST(HandlerReviews, DoNotDependOnTheOrderOfKeys) {
  Reviewer reviewer;
  for (const Captured& each : sample(load())) {
    for (const server::Route& route : server::kRoutes) {
      SCOPED_TRACE(each.name + ' ' + std::string(route.path));
      const Answer a = reviewer.send(route.path, each.review);
      const Answer b = reviewer.send(route.path, reversed(each.review));
      EXPECT_EQ(a.allowed(), b.allowed());
      EXPECT_EQ(a.refused(), b.refused());
      EXPECT_EQ(a.warned(), b.warned());
      EXPECT_EQ(nlohmann::json(patched(each.object(), a)),
                nlohmann::json(patched(each.object(), b)));
    }
  }
}

TEST(HandlerReviews, OfAnUnchangedObjectAreAllowedWithoutWarnings) {
  Reviewer reviewer;
  for (const Captured& each : sample(load())) {
    Json review = each.review;
    review["request"]["operation"] = "UPDATE";
    review["request"]["oldObject"] = each.object();
    Json other_order = review;
    other_order["request"]["oldObject"] = reversed(each.object());
    for (const server::Route& route : server::kRoutes) {
      SCOPED_TRACE(each.name + ' ' + std::string(route.path));
      EXPECT_TRUE(reviewer.send(route.path, review).is_plain_allow());
      EXPECT_TRUE(reviewer.send(route.path, other_order).is_plain_allow());
    }
  }
}

TEST(HandlerReviews, AreAnsweredInTheVersionOfTheRequest) {
  Reviewer reviewer;
  for (const Captured& each : load("kinds")) {
    for (const std::string version : {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"}) {
      SCOPED_TRACE(each.name + ' ' + version);
      Json review = each.review;
      review["apiVersion"] = version;
      const Json answer = Json::parse(reviewer.send("/validate", review).body);
      EXPECT_EQ(answer["apiVersion"], version);
      EXPECT_EQ(answer["kind"], "AdmissionReview");
      EXPECT_EQ(answer["response"]["uid"], review["request"]["uid"]);
    }
  }
}

/// A summary of the response on each path. Paths with a plain allow are omitted.
nlohmann::json expected_of(Reviewer& reviewer, const Json& review) {
  nlohmann::json by_path = nlohmann::json::object();
  for (const server::Route& route : server::kRoutes) {
    // These tell what the paths that place would do.
    if (route.path.starts_with("/mutate/audit")) continue;
    const Answer answer = reviewer.send(route.path, review);
    if (answer.is_plain_allow()) continue;
    nlohmann::json& expected = by_path[std::string(route.path)];
    if (answer.status != 200) {
      expected["status"] = answer.status;
      continue;
    }
    if (!answer.allowed()) expected["refused"] = answer.refused();
    if (!answer.warned().empty()) expected["warned"] = answer.warned();
    if (!answer.patch().empty()) expected["patch"] = nlohmann::json::parse(answer.patch().dump());
    const Json notes = answer.response.value("auditAnnotations", Json::object());
    for (const auto& note : notes.items()) expected["audited"].push_back(note.key());
  }
  return by_path;
}

TEST(HandlerReviews, HaveTheExpectedResponses) {
  const bool update = std::getenv("WINADMIT_UPDATE_GOLDEN") != nullptr;
  const fs::path root = data("reviews-expected");
  Reviewer reviewer;
  std::set<std::string> names;
  for (const Captured& each : load()) {
    SCOPED_TRACE(each.name);
    names.insert(each.name);
    const std::string got = expected_of(reviewer, each.review).dump(2) + '\n';
    const fs::path file = root / each.name;
    if (update) {
      fs::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << got;
    } else {
      EXPECT_TRUE(fs::exists(file)) << "no expected answer";
      EXPECT_EQ(got, read(file));
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), root).string();
    if (update && !names.contains(name)) fs::remove(entry.path());
    EXPECT_TRUE(update || names.contains(name)) << name << " belongs to no review";
  }
}

}  // namespace
}  // namespace winadmit::test
