// Evaluates a predicate on JSON text.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string_view>

#include "policy/rules/predicate.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit::test {

/// Whether the predicate matches the value in a pod with `spec`, in its first container.
inline bool matches(const Predicate& predicate, std::string_view value,
                    std::string_view spec = R"({"containers": [{}]})") {
  const ParsedJson value_document(value);
  const ParsedPod parsed(spec);
  simdjson::dom::array containers;
  Context where{parsed.pod(), *parsed.pod().spec};
  if ((*parsed.pod().spec)["containers"].get(containers) == simdjson::SUCCESS) {
    where.container = containers.at(0).get_object();
  }
  return predicate.matches(value_document.value(), where);
}

struct ValueCase {
  std::string_view name;
  Predicate predicate;
  std::string_view value;
  bool match;
};

inline void expect_matches(std::span<const ValueCase> cases) {
  for (const ValueCase& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(matches(one.predicate, one.value), one.match) << one.value;
  }
}

}  // namespace winadmit::test
