#include "tests/bench/micro/steps.hpp"

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>

#include "admission/admit.hpp"
#include "admission/review_reader.hpp"
#include "admission/review_writer.hpp"
#include "policy/policy.hpp"
#include "policy/rules/version.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "tests/bench/micro/reviews.hpp"

namespace winadmit::bench {
namespace {

constexpr std::array<std::string_view, 9> kBodies = {
    "3.4KB-unplaced", "3.4KB-placed", "3.4KB-refused", "3.4KB-linux",  "8KB-placed",
    "8KB-refused",    "8KB-linux",    "64KB-refused",  "512KB-refused"};

/// The objects that the steps use, for the lifetime of the process.
struct World {
  Policy policy{Settings{}};
  server::Exemptions exempt;
  server::Metrics metrics{to_string(kNewestVersion)};
  server::Handler handler{policy, exempt, metrics.add_thread()};
  std::vector<std::unique_ptr<ParsedPod>> pods;
};

World& world() {
  static World it;
  return it;
}

template <class Value>
void keep(Value&& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

Findings found_by(const Validator& validator, const Pod& pod) {
  FindingCollector findings;
  FieldErrors errors;
  validator.validate(pod, findings, errors);
  return findings.extract();
}

/// A table of `times` as many rules: the rules, and copies of them for fields that no pod has.
class LargeTable {
 public:
  explicit LargeTable(std::size_t times) {
    const std::span<const Rule> table = rules();
    rows_.assign(table.begin(), table.end());
    for (std::size_t copy = 1; copy < times; ++copy) {
      for (Rule row : table) {
        if (row.field.empty() || row.scope == Scope::annotation) continue;
        fields_.push_back(std::make_unique<std::string>(renamed(row.field, copy)));
        row.field = *fields_.back();
        rows_.push_back(row);
      }
    }
    validator_.emplace(rows_, world().policy.settings());
  }

  const Validator& validator() const { return *validator_; }

 private:
  /// Renames the last member of a field path.
  static std::string renamed(std::string_view field, std::size_t copy) {
    const std::size_t end =
        field.ends_with('}') ? field.rfind('{') : field.find_last_not_of("[*]") + 1;
    const std::string tail(field.substr(end));
    std::string head(field.substr(0, end));
    if (tail.starts_with('{')) return head + "synthetic" + std::to_string(copy);
    return head + "Synthetic" + std::to_string(copy) + tail;
  }

  std::vector<std::unique_ptr<std::string>> fields_;
  std::vector<Rule> rows_;
  std::optional<Validator> validator_;
};

void add_policy_steps(std::vector<Step>& steps, ParsedPod& it) {
  const auto add = [&](std::string_view step, std::function<void()> run) {
    steps.push_back({std::string(step) + '/' + it.name, it.size, std::move(run)});
  };
  add("parse", [&it] {
    static simdjson::dom::parser parser;
    keep(server::parse_review(parser, {it.bytes.data(), it.size}));
  });
  add("target", [&it] {
    const TargetSettings& signals = world().policy.settings().target;
    keep(find_target(read_pod(*it.review.object, *it.pod.kind, signals.windows_labels), signals));
  });
  if (it.target.os != Os::windows) return;
  add("place", [&it] { keep(make_placement_patch(it.pod, it.target, world().policy.settings())); });
  add("validate", [&it] { keep(found_by(world().policy.validator(), it.pod)); });
}

void add_answer_steps(std::vector<Step>& steps, ParsedPod& it) {
  for (const std::string_view path : {"/validate", "/mutate"}) {
    const std::string suffix = std::string(path) + '/' + it.name;
    auto admission = std::make_shared<server::Admission>(
        server::admit(it.review, *server::find_route(path), world().policy, world().exempt, {}));
    steps.push_back({"render" + suffix, it.size, [&it, admission] {
                       static fmt::memory_buffer reply;
                       reply.clear();
                       server::write_review(reply, it.review, admission->response,
                                            admission->found.kept);
                       keep(reply);
                     }});
    steps.push_back({"handle" + suffix, it.size, [&it, path] {
                       keep(world().handler.handle({.method = "POST",
                                                    .target = path,
                                                    .content_type = "application/json",
                                                    .body = {it.bytes.data(), it.size}}));
                     }});
  }
}

void add_table_steps(std::vector<Step>& steps, ParsedPod& it) {
  for (const std::size_t times : {1U, 2U, 10U}) {
    auto table = std::make_shared<LargeTable>(times);
    steps.push_back({"rules_x" + std::to_string(times) + '/' + it.name, it.size,
                     [&it, table] { keep(found_by(table->validator(), it.pod)); }});
  }
}

}  // namespace

std::vector<Step> steps(const std::filesystem::path& bodies) {
  spdlog::set_level(spdlog::level::off);  // logging is not measured
  std::vector<Step> found;
  for (const std::string_view name : kBodies) {
    world().pods.push_back(
        std::make_unique<ParsedPod>(bodies / (std::string(name) + ".json"), world().policy));
    ParsedPod& it = *world().pods.back();
    add_policy_steps(found, it);
    add_answer_steps(found, it);
    if (name.ends_with("-placed")) add_table_steps(found, it);
  }
  return found;
}

}  // namespace winadmit::bench
