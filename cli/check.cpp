// What the webhooks would say of manifests, before they are applied.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/manifests.hpp"
#include "cli/policy_options.hpp"
#include "server/admit.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

enum class Output { text, json };

struct CheckOptions {
  PolicyOptions policy;
  std::vector<std::string> files;
  bool recursive = false;
  std::string default_os;  // "": none
  Output output = Output::text;
};

/// What is said of one field of one object.
struct Said {
  Place place;
  std::string object;  // "Deployment default/web"
  bool refuses = false;
  std::string field, text, rule;  // field and rule: "" where the object cannot be read as its kind

  std::string line() const {
    std::string line = place.text() + ": " + (refuses ? "error: " : "warning: ") + object + ": ";
    if (!field.empty()) line += field + ": ";
    line += text;
    if (!rule.empty()) line += " (" + rule + ')';
    return line;
  }

  json as_json() const {
    json made = {{"file", place.file}, {"object", object}, {"action", refuses ? "deny" : "warn"},
                 {"field", field},     {"message", text},  {"rule", rule}};
    if (place.line != 0) made.update({{"line", place.line}, {"column", place.column}});
    return made;
  }
};

std::string text_in_metadata(const json& object, const char* key) {
  const json text = object.value(json::json_pointer("/metadata/" + std::string(key)), json());
  return text.is_string() ? text.get<std::string>() : std::string();
}

std::string name_of(const json& object) {
  std::string name = text_in_metadata(object, "name");
  if (name.empty()) name = text_in_metadata(object, "generateName");
  if (const auto name_space = text_in_metadata(object, "namespace"); !name_space.empty()) {
    name.insert(0, name_space + '/');
  }
  const auto kind = object.at("kind").get<std::string>();
  return name.empty() ? kind : kind + ' ' + name;
}

json as_json(const Patch& patch) {
  json operations = json::array();
  for (const PatchOperation& each : patch) {
    json operation = {{"op", each.op}, {"path", each.path}};
    if (!each.value.empty()) operation["value"] = json::parse(each.value);
    operations.push_back(std::move(operation));
  }
  return operations;
}

/// Asks what both webhooks would be asked when an object is created, the mutating one first.
class Checker {
 public:
  Checker(const server::Config& config, Os default_os)
      : exempt_(config.exempt),
        policy_(config.policy),
        mutate_(route(server::Hook::mutate, default_os)),
        validate_(route(server::Hook::validate, default_os)) {}

  std::vector<Said> check(const Manifest& manifest) {
    const Patch patch = admit(manifest.object, mutate_).decision.patch;
    const server::Admission validated = admit(manifest.object.patch(as_json(patch)), validate_);
    std::vector<Said> said;
    const auto say = [&](std::string_view pointer, bool refuses, std::string_view field,
                         std::string_view text, std::string_view rule) {
      said.push_back({.place = place_of(manifest, pointer),
                      .object = name_of(manifest.object),
                      .refuses = refuses,
                      .field = std::string(field),
                      .text = std::string(text),
                      .rule = std::string(rule)});
    };
    if (validated.bad) say("", true, "", validated.bad->what, "");
    for (const Finding& each : validated.findings) {
      say(each.path.pointer(), each.action == Action::deny, each.field, each.text, each.id);
    }
    std::ranges::stable_sort(
        said, {}, [](const Said& each) { return std::pair(each.place.line, each.place.column); });
    return said;
  }

 private:
  static const server::Route& route(server::Hook hook, Os default_os) {
    return *std::ranges::find_if(server::kRoutes, [&](const server::Route& each) {
      return each.hook == hook && each.mode == server::Mode::enforce &&
             each.default_os == default_os;
    });
  }

  /// The findings are good until the next call.
  server::Admission admit(const json& object, const server::Route& route) {
    const auto kind = object.at("kind").get<std::string>();
    const auto api_version = object.at("apiVersion").get<std::string>();
    const std::size_t slash = api_version.find('/');
    std::string name_space = text_in_metadata(object, "namespace");
    if (name_space.empty()) name_space = "default";
    text_ = object.dump();
    server::Review review;
    review.operation = "CREATE";
    review.kind = kind;
    if (slash != std::string::npos) review.group = std::string_view(api_version).substr(0, slash);
    review.name_space = name_space;
    review.object = parser_.parse(text_).get_object();
    return server::admit(review, route, policy_, exempt_);
  }

  const server::Exemptions& exempt_;
  Policy policy_;
  const server::Route& mutate_;
  const server::Route& validate_;
  simdjson::dom::parser parser_;
  std::string text_;  // that the parser reads
};

/// The files of all that was named, each once. What is not there is told to `fail`.
std::vector<std::string> files_to_read(const CheckOptions& options,
                                       const std::function<void(const std::string&)>& fail) {
  std::vector<std::string> files;
  for (const std::string& name : options.files) {
    try {
      if (name != "-" && std::filesystem::is_directory(name)) {
        for (std::string& each : files_of(name, options.recursive))
          files.push_back(std::move(each));
      } else {
        files.push_back(name);
      }
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
  }
  return files;
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

int check(const CheckOptions& options) {
  server::Config config = options.policy.load();
  // What is refused is the pods that a workload makes: its author wants to know that now.
  config.policy.workloads = Action::deny;
  Checker checker(config, options.default_os == "windows" ? Os::windows
                          : options.default_os == "linux" ? Os::linux
                                                          : Os::none);
  bool is_unreadable = false;
  const auto fail = [&](const std::string& line) {
    is_unreadable = true;
    std::cerr << "winadmit: " << line << '\n';
  };
  std::size_t objects = 0, refused = 0, warned_of = 0;
  json all = json::array();
  for (const std::string& file : files_to_read(options, fail)) {
    for (const Manifest& manifest : read_manifests(file, fail)) {
      std::vector<Said> said;
      try {
        said = checker.check(manifest);
      } catch (const json::exception&) {  // of all that JSON is, only what its texts hold is left
        fail(place_of(manifest).text() + ": is not UTF-8");
        continue;
      }
      const bool is_refused = std::ranges::any_of(said, &Said::refuses);
      ++objects;
      refused += is_refused ? 1 : 0;
      warned_of += !is_refused && !said.empty() ? 1 : 0;
      for (const Said& each : said) {
        if (options.output == Output::json) {
          all.push_back(each.as_json());
        } else {
          std::cout << each.line() << '\n';
        }
      }
    }
  }
  if (objects == 0 && !is_unreadable) fail("no objects to check");
  if (options.output == Output::json) std::cout << all.dump(2) << '\n';
  if (objects > 0) {
    std::cerr << counted(objects, "object") << ": " << refused << " refused, " << warned_of
              << " with warnings\n";
  }
  return is_unreadable ? kUsage : refused > 0 ? kFindings : kClean;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  static const std::map<std::string, Output> kOutputs = {{"text", Output::text},
                                                         {"json", Output::json}};
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "Say of manifests what the webhooks would say when they are applied");
  command
      ->add_option("-f,--filename,FILE", options->files,
                   "YAML or JSON: files, folders, or - for standard input")
      ->required();
  command->add_flag("-R,--recursive", options->recursive, "The folders in a folder, too");
  command
      ->add_option("--default-os", options->default_os,
                   "What a pod without a signal is for, as the namespace's label would say: "
                   "windows or linux")
      ->check(CLI::IsMember({"windows", "linux"}))
      ->envname("WINADMIT_DEFAULT_OS");
  command->add_option("-o,--output", options->output, "text or json")
      ->transform(CLI::CheckedTransformer(kOutputs));
  options->policy.add_to(*command);
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace winadmit::cli
