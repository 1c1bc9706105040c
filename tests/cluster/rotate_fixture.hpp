// A rotation of certificates in a cluster in memory.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "certs/issue.hpp"
#include "tests/cluster/delayed_cluster.hpp"

namespace winadmit::test {

inline const certs::Names kServiceNames = certs::service_names("winadmit-system", "winadmit");

class Rotate : public testing::Test {
 protected:
  std::string run(bool force_ca = false, bool force_pair = false) {
    return cluster::rotate(
        cluster_, {.names = names_,
                   .lifetimes = {},
                   .force_ca = force_ca,
                   .force_pair = force_pair,
                   .settle = 10s,
                   .wait = 300s,
                   .now = [this] { return cluster_.now; },
                   .clock = [this] { return cluster::Deadline(cluster_.now.time_since_epoch()); },
                   .sleep =
                       [this](seconds time) {
                         if (meanwhile_) meanwhile_(time);
                         cluster_.pass(time);
                       },
                   .report = [this](const std::string& line) { reported_.push_back(line); }});
  }

  /// Installed, with every replica serving.
  void install() {
    ASSERT_EQ(run(), "");
    cluster_.pass(120s);
    cluster_.start_counting();
    reported_.clear();
  }

  void expect_consistent() {
    EXPECT_EQ(cluster_.trusted(), 1U);
    for (const std::string& bundle : cluster_.current_bundles())
      EXPECT_EQ(bundle, cluster_.secret.ca_crt);
    EXPECT_TRUE(trusts(cluster_.secret.ca_crt, cluster_.secret.tls_crt));
    EXPECT_EQ(cluster_.failed_requests, 0);
  }

  /// A run that ends at a call of the cluster, from 0, and another one after it.
  void crash_and_run_again(int call, bool force_ca = false) {
    cluster_.crash_after = call;
    EXPECT_THROW(run(force_ca), Crash);
    cluster_.crash_after = -1;
    cluster_.pass(seconds(1));
    EXPECT_EQ(run(), "");
    cluster_.pass(seconds(20));
    expect_consistent();
  }

  DelayedCluster cluster_;
  certs::Names names_ = kServiceNames;
  std::vector<std::string> reported_;
  std::function<void(seconds)> meanwhile_;  // called while a run sleeps
};

}  // namespace winadmit::test
