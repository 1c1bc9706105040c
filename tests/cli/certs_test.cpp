#include "cli/certs.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "bytes/files.hpp"
#include "certs/serving.hpp"
#include "cli/commands.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = kClean;
  std::string output;
  std::string error;
};

class CertsCommand : public testing::Test {
 protected:
  /// `winadmit certs ARGUMENTS`, as main runs it.
  static Outcome run(const std::string& arguments) {
    Outcome outcome;
    CLI::App app;
    add_certs(app, outcome.exit_code);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      app.parse("certs " + arguments);
    } catch (const std::exception& error) {
      outcome.exit_code = kError;
      outcome.error = error.what();
    }
    outcome.output = testing::internal::GetCapturedStdout();
    const std::string printed = testing::internal::GetCapturedStderr();
    if (outcome.error.empty()) outcome.error = printed;
    return outcome;
  }

  Outcome issue(const std::string& more = "") const {
    return run("issue --service winadmit-system/winadmit --out " + folder_.path().string() + " " +
               more);
  }

  /// The pair of a folder, which can be served.
  static certs::Pair load(const fs::path& folder) {
    certs::Pair pair = certs::parse_pair({.certificate = certs::read_pem(folder / "tls.crt"),
                                          .key = certs::read_pem(folder / "tls.key")});
    certs::check_serving(pair, certs::current_time());
    return pair;
  }

  certs::Pair load() const { return load(folder_.path()); }

  nlohmann::json show(int expected_exit_code) const {
    const Outcome shown = run("show -o json --secret-dir " + folder_.path().string());
    EXPECT_EQ(shown.exit_code, expected_exit_code);
    return nlohmann::json::parse(shown.output);
  }

  const test::TemporaryFolder folder_;
};

TEST_F(CertsCommand, IssueWritesACaAndAPairForTheService) {
  EXPECT_EQ(issue("--dns extra.example --ip 10.0.0.7,::1 --days 30").exit_code, kClean);
  const certs::Pair pair = load();
  const certs::Description leaf = certs::describe(pair.leaf());
  EXPECT_EQ(leaf.dns_names, (std::vector<std::string>{"winadmit.winadmit-system.svc",
                                                      "winadmit.winadmit-system.svc.cluster.local",
                                                      "extra.example"}));
  EXPECT_EQ(leaf.ip_addresses, (std::vector<std::string>{"10.0.0.7", "::1"}));
  EXPECT_EQ((leaf.not_after - certs::current_time() + std::chrono::hours(1)) / std::chrono::days(1),
            30);
  const auto ca = certs::parse_certificates(read_file(folder_ / "ca.crt"), "ca.crt");
  EXPECT_TRUE(certs::is_issued_by(pair.leaf(), ca.front().get()));
  for (const char* key : {"ca.key", "tls.key"})
    EXPECT_EQ(fs::status(folder_ / key).permissions(), fs::perms(0600)) << key;
}

TEST_F(CertsCommand, IssueReplacesFilesOnlyWithForce) {
  ASSERT_EQ(issue().exit_code, kClean);
  const std::string before = read_file(folder_ / "tls.key");
  fs::remove(folder_ / "ca.crt");
  const Outcome again = issue();
  EXPECT_EQ(again.exit_code, kError);
  EXPECT_NE(again.error.find("already exists; use --force to replace it"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "ca.crt")) << "all or nothing";
  EXPECT_EQ(read_file(folder_ / "tls.key"), before);
  EXPECT_EQ(issue("--force").exit_code, kClean);
  EXPECT_NE(read_file(folder_ / "tls.key"), before);
}

TEST_F(CertsCommand, IssueWritesNothingIfOneFileCannotBeWritten) {
  ASSERT_EQ(issue().exit_code, kClean);
  const std::string before = read_file(folder_ / "ca.key");
  fs::remove(folder_ / "tls.key");
  fs::create_directory(folder_ / "tls.key");
  const Outcome again = issue("--force");
  EXPECT_EQ(again.exit_code, kError);
  EXPECT_NE(again.error.find("tls.key: it is not a regular file"), std::string::npos)
      << again.error;
  EXPECT_EQ(read_file(folder_ / "ca.key"), before);
}

TEST_F(CertsCommand, IssueSaysThatACertificateEndsWithItsCa) {
  const Outcome cut = issue("--days 400 --ca-days 10");
  EXPECT_EQ(cut.exit_code, kClean);
  EXPECT_EQ(cut.error, "winadmit: the certificate expires with its CA, at " +
                           certs::to_string(certs::describe(load().leaf()).not_after) +
                           ", before --days have passed\n");
  EXPECT_EQ(issue("--force --days 10 --ca-days 10").error, "");
}

TEST_F(CertsCommand, IssueSignsWithAnExistingCa) {
  ASSERT_EQ(issue().exit_code, kClean);
  const std::string ca = (folder_ / "ca.crt").string();
  const fs::path other = folder_ / "other";
  ASSERT_EQ(run("issue --dns a.example --out " + other.string() + " --ca-cert " + ca +
                " --ca-key " + (folder_ / "ca.key").string())
                .exit_code,
            kClean);
  EXPECT_FALSE(fs::exists(other / "ca.key"));
  const certs::Pair pair = load(other);
  const auto issuer = certs::parse_certificates(read_file(ca), "ca.crt");
  EXPECT_TRUE(certs::is_issued_by(pair.leaf(), issuer.front().get()));
  EXPECT_EQ(run("issue --dns a.example --ca-cert " + ca).exit_code, kError);
}

TEST_F(CertsCommand, IssueNeedsAValidName) {
  EXPECT_EQ(run("issue --out " + folder_.path().string()).exit_code, kError);
  EXPECT_EQ(run("issue --service winadmit --out " + folder_.path().string()).exit_code, kError);
  EXPECT_EQ(run("issue --dns a..b --out " + folder_.path().string()).exit_code, kError);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(CertsCommand, ShowDescribesASecret) {
  ASSERT_EQ(issue().exit_code, kClean);
  const certs::Description leaf = certs::describe(load().leaf());
  const nlohmann::json shown = show(kClean);
  EXPECT_EQ(shown["problem"], nullptr);
  ASSERT_EQ(shown["certificates"].size(), 1U);
  EXPECT_EQ(shown["certificates"][0]["subject"], leaf.subject);
  EXPECT_EQ(shown["certificates"][0]["notAfter"], certs::to_string(leaf.not_after));
  EXPECT_EQ(shown["certificates"][0]["sha256"], leaf.sha256);

  const Outcome text = run("show " + (folder_ / "tls.crt").string());
  EXPECT_EQ(text.exit_code, kClean);
  // 365 days, less the moment since.
  const std::size_t until = text.output.find(certs::to_string(leaf.not_after) + " (36");
  ASSERT_NE(until, std::string::npos) << text.output;
  EXPECT_NE(text.output.find(" days left)", until), std::string::npos) << text.output;
}

TEST_F(CertsCommand, ShowSaysWhatIsChecked) {
  ASSERT_EQ(issue().exit_code, kClean);
  EXPECT_EQ(show(kClean)["checked"], "serving");
  const std::string certificate = (folder_ / "tls.crt").string();
  EXPECT_TRUE(run("show " + certificate + ' ' + (folder_ / "tls.key").string())
                  .output.ends_with("\nusable\n"));
  EXPECT_TRUE(run("show " + certificate)
                  .output.ends_with("\nin date; give KEY to check whether the pair is usable\n"));
  EXPECT_EQ(nlohmann::json::parse(run("show -o json " + certificate).output)["checked"], "dates");
}

TEST_F(CertsCommand, ShowNamesTheFilesOfAPairThatDoesNotFit) {
  ASSERT_EQ(issue().exit_code, kClean);
  const std::string certificate = (folder_ / "ca.crt").string(),
                    key = (folder_ / "tls.key").string();
  const std::string shown = run("show " + certificate + ' ' + key).output;
  EXPECT_NE(shown.find("not usable: " + key +
                       " is not the private key of the first certificate in " + certificate),
            std::string::npos)
      << shown;
}

TEST_F(CertsCommand, ShowReadsEachFileOnce) {
  ASSERT_EQ(issue().exit_code, kClean);
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    const std::string text = read_file(folder_ / "tls.crt");
    // Without a reader, opening the pipe fails: this does not wait for ever.
    for (int tries = 0; tries < 1000; ++tries) {
      const int to = open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      if (to >= 0) {
        EXPECT_EQ(write(to, text.data(), text.size()), static_cast<ssize_t>(text.size()));
        close(to);
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const Outcome shown = run("show " + pipe.string() + ' ' + (folder_ / "tls.key").string());
  writer.join();
  EXPECT_EQ(shown.exit_code, kClean) << shown.output;
}

TEST_F(CertsCommand, ShowTellsWhyAPairCannotBeServed) {
  ASSERT_EQ(issue().exit_code, kClean);
  fs::copy_file(folder_ / "ca.key", folder_ / "tls.key", fs::copy_options::overwrite_existing);
  const auto problem = show(kNegative)["problem"].get<std::string>();
  EXPECT_NE(problem.find("is not the private key of"), std::string::npos) << problem;

  using std::chrono::hours;
  const certs::Pem expired = certs::issue_self_signed(hours(1), certs::current_time() - hours(2));
  write_file(folder_ / "tls.crt", expired.certificate, Readers::everyone);
  const Outcome text = run("show " + (folder_ / "tls.crt").string());
  EXPECT_EQ(text.exit_code, kNegative);
  EXPECT_NE(text.output.find("not usable: \"CN=localhost\" expired at"), std::string::npos);
  EXPECT_EQ(run("show " + (folder_ / "missing").string()).exit_code, kError);
}

TEST_F(CertsCommand, RotateTakesAServiceInItsNamespace) {
  EXPECT_EQ(
      run("rotate --service a/b --namespace c").error,
      "--service a/b and --namespace c differ: the Service and the Secret are in one namespace");
  EXPECT_EQ(run("rotate --service a/b").error, "give either --in-cluster or --server");
  EXPECT_EQ(run("rotate --service a/b/c").error,
            "--service must have the form NAMESPACE/NAME, each a DNS label, not 'a/b/c'");
  EXPECT_EQ(run("rotate --service a.b").error, "--service must be a DNS label, not 'a.b'");
}

TEST_F(CertsCommand, TakesOneValueForEachFlag) {
  for (const char* flag : {"--dns", "--ip", "--mutating", "--validating"}) {
    const Outcome outcome = run("rotate " + std::string(flag) + " 10.0.0.1 extra");
    EXPECT_NE((outcome.output + outcome.error).find("extra"), std::string::npos) << flag;
  }
}

TEST_F(CertsCommand, RotateNeedsAnApiServer) {
  EXPECT_EQ(run("rotate").error, "give either --in-cluster or --server");
  EXPECT_EQ(run("rotate --server https://a").error, "--server needs --token-file and --ca-file");
}

}  // namespace
}  // namespace winadmit::cli
