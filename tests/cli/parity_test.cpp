// The same policy answers on files, on one request and on the wire: for every captured review
// `check` on the object, `review` on the request and the running server find the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bytes/base64.hpp"
#include "tests/cli/binary.hpp"
#include "tests/server/transport/test_server.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// "spec.hostPID host-pid" for each refused field.
using Refused = std::multiset<std::string>;

/// What happens to an object that is created with both webhooks. `suffix`: of their paths.
template <class Post>
Refused refused_by(json review, const std::string& suffix, Post post) {
  const json placed = post("/mutate" + suffix, review).at("response");
  if (placed.contains("patch")) {
    json& object = review.at("request").at("object");
    object = object.patch(json::parse(from_base64(placed.at("patch").get<std::string>()).value()));
  }
  const json response = post("/validate" + suffix, review).at("response");
  Refused refused;
  if (response.at("allowed").get<bool>()) return refused;
  for (const json& cause : response.at("status").at("details").at("causes")) {
    refused.insert(cause.at("field").get<std::string>() + ' ' +
                   cause.at("reason").get<std::string>());
  }
  return refused;
}

class Parity : public Binary {
 protected:
  Parity() {
    for (const char* set : {"windows", "linux", "kinds"}) {
      for (const auto& entry : fs::directory_iterator(data("reviews") / set)) {
        reviews_[fs::path(set) / entry.path().filename()] = json::parse(read(entry.path()));
      }
    }
  }

  /// What one run of `check` refuses in all objects, by review.
  std::map<std::string, Refused> check_objects(const std::string& flags) const {
    std::map<std::string, Refused> refused;
    std::map<std::string, std::string> names;
    fs::create_directory(folder_ / "objects");
    for (const auto& [name, review] : reviews_) {
      const std::string file = std::to_string(names.size()) + ".json";
      names[(folder_ / "objects" / file).string()] = name;
      // An update is judged beside what was there, which only the review tells.
      const json& request = review.at("request");
      const bool is_created =
          request.at("operation") == "CREATE" && !request.contains("subResource");
      write("objects/" + file, (is_created ? request.at("object") : review).dump());
    }
    const Result result = run("check -o json" + flags + " -f " + (folder_ / "objects").string());
    EXPECT_EQ(result.exit_code, 1) << result.err;
    const json report = json::parse(result.out);
    std::set<std::string> denied;
    for (const json& each : report.at("findings")) {
      const std::string& name = names.at(each.at("file"));
      if (each.at("action") == "deny") denied.insert(name);
      refused[name].insert(each.at("field").get<std::string>() + ' ' +
                           each.at("rule").get<std::string>());
    }
    // A refusal names its warnings, too.
    std::erase_if(refused, [&](const auto& each) { return !denied.contains(each.first); });
    return refused;
  }

  std::map<std::string, json> reviews_;
};

TEST_F(Parity, CheckReviewAndServerRefuseTheSameFields) {
  const std::string config = write("config.yaml", "workloads: deny\n");
  const TestServer server(
      [](server::Options& options) { options.config.policy.workloads = Action::deny; });
  TlsClient client(server.port());
  const auto by_server = [&](const std::string& path, const json& review) {
    return json::parse(client.post(review.dump(), path).body);
  };
  const auto by_review = [&](const std::string& path, const json& review) {
    const std::string file = write("review.json", review.dump());
    return json::parse(run("review --config " + config + " --path " + path + ' ' + file).out);
  };
  struct Row {
    int reviews = 0, refused = 0;
    std::size_t fields = 0;
  };
  std::map<std::string, Row> table;
  // With the default, the pods of Linux are judged as Windows pods: they use much that it lacks.
  for (const auto& [suffix, flags] :
       {std::pair{"", ""}, {"/default-windows", " --default-os windows"}}) {
    const std::map<std::string, Refused> checked = check_objects(flags);
    for (const auto& [name, review] : reviews_) {
      SCOPED_TRACE(name + flags);
      const Refused expected = refused_by(review, suffix, by_server);
      EXPECT_EQ(refused_by(review, suffix, by_review), expected);
      const auto found = checked.find(name);
      EXPECT_EQ(found != checked.end() ? found->second : Refused{}, expected);
      Row& row = table[name.substr(0, name.find('/')) + suffix];
      ++row.reviews;
      row.refused += expected.empty() ? 0 : 1;
      row.fields += expected.size();
    }
  }
  std::cout << "reviews                  count  refused  fields\n";
  for (const auto& [set, row] : table) {
    std::cout << std::left << std::setw(23) << set << std::right << std::setw(7) << row.reviews
              << std::setw(9) << row.refused << std::setw(8) << row.fields << '\n';
  }
  EXPECT_GT(table["windows"].refused, 0) << "some of them use what Windows lacks";
  EXPECT_GT(table["linux/default-windows"].fields, 30U);
}

}  // namespace
}  // namespace winadmit::test
