#include "export/cel/pod_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "policy/pod/pod_kind.hpp"
#include "policy/rules/rule.hpp"
#include "tests/find_all.hpp"

namespace winadmit {
namespace {

std::string text_of(std::string_view variable) {
  const auto all = pod_variables({}, Os::none);
  return std::ranges::find(all, variable, &CelVariable::name)->expression;
}

/// A member that is missing is an error at the API server, and `$pod` may be the empty view.
TEST(PodView, HasTheMembersThatRulesReadAlsoIfItIsEmpty) {
  std::size_t count = 0;
  for (const Rule& rule : rules()) {
    std::string text;
    for (const Predicate& each : rule.predicates()) text += each.cel.text();
    for (const Condition& each : {rule.only_if, rule.unless}) text += each.cel.text();
    for (const std::string& member : test::find_all(text, R"(\$pod\.(\w+))")) {
      ++count;
      for (const char* view : {"views", "emptyView"})
        EXPECT_NE(text_of(view).find('\'' + member + "': dyn("), std::string::npos)
            << rule.id << ": " << view << " has no " << member;
    }
  }
  EXPECT_GT(count, 20U);
}

TEST(PodView, FindsTheTemplateOfEachKind) {
  const std::string text = template_of("o");
  for (const PodKind& kind : pod_kinds()) {
    std::string path = "o";
    for (const std::string_view step : kind.template_path) path += ".?" + std::string(step);
    EXPECT_NE(text.find(kind.is_pod() ? "orValue(o)" : path), std::string::npos) << kind.kind;
  }
}

}  // namespace
}  // namespace winadmit
