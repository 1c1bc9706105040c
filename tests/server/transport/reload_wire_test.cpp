// Certificate reload of the running binary, with files that change as the kubelet changes them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "certs/issue.hpp"
#include "cluster/client.hpp"
#include "tests/certs/certificate_spec.hpp"
#include "tests/eventually.hpp"
#include "tests/server/transport/tls_client.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A process of the binary.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), binary());
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      execv(argv.front(), argv.data());
      _exit(127);
    }
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    fclose(output_);
  }

  /// The next line of its output, or "" at the end.
  std::string line() {
    std::string text(4096, '\0');
    return fgets(text.data(), static_cast<int>(text.size()), output_) == nullptr ? ""
                                                                                 : text.c_str();
  }

  /// Sends SIGTERM and returns the exit code.
  int end() {
    kill(pid_, SIGTERM);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  FILE* output_ = nullptr;
};

class Reload : public testing::Test {
 protected:
  Reload() {
    fs::create_symlink("..data/tls.crt", root_ / "tls.crt");
    fs::create_symlink("..data/tls.key", root_ / "tls.key");
  }

  /// Changes the files as the kubelet does for a Secret. `key_mode`: the defaultMode of the volume.
  void swap(const certs::Pem& pem, fs::perms key_mode = fs::perms(0440)) {
    const std::string version = "..version_" + std::to_string(++versions_);
    fs::create_directory(root_ / version);
    std::ofstream(root_ / version / "tls.crt") << pem.certificate;
    std::ofstream(root_ / version / "tls.key") << pem.key;
    fs::permissions(root_ / version / "tls.key", key_mode);
    fs::create_directory_symlink(version, root_ / "..data_tmp");
    fs::rename(root_ / "..data_tmp", root_ / "..data");
    fs::remove_all(root_ / ("..version_" + std::to_string(versions_ - 1)));
  }

  /// Stops the server, and returns the lines of its log with this message.
  std::vector<nlohmann::json> end_and_read_log(std::string_view message) {
    EXPECT_EQ(server_->end(), 0);
    std::vector<nlohmann::json> found;
    for (std::string line; !(line = server_->line()).empty();) {
      nlohmann::json log = nlohmann::json::parse(line);
      if (log.at("msg") == message) found.push_back(std::move(log));
    }
    return found;
  }

  void start(const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments{"serve",
                                       "--listen",
                                       "127.0.0.1:0",
                                       "--admin-listen",
                                       "127.0.0.1:0",
                                       "--tls-cert",
                                       root_ / "tls.crt",
                                       "--tls-key",
                                       root_ / "tls.key",
                                       "--reload-interval",
                                       "0.05",
                                       "--drain-delay",
                                       "0",
                                       "--threads",
                                       "2",
                                       "--log-format",
                                       "json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    server_ = std::make_unique<Process>(arguments);
    std::string line = server_->line();
    for (; line.find("\"warning\"") != line.npos; line = server_->line()) warnings_.push_back(line);
    const auto log = nlohmann::json::parse(line, nullptr, false);
    ASSERT_TRUE(log.is_object() && log.contains("listen")) << line;
    const auto port = [&](const char* key) {
      const auto address = log.at(key).get<std::string>();
      return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    };
    port_ = port("listen");
    admin_port_ = port("admin_listen");
  }

  /// The value of a metric, or -1.
  double metric(const std::string& name) const {
    const std::string text = http_get(admin_port_, "/metrics");
    const std::size_t at = text.find("\n" + name + " ");
    return at == text.npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }

  /// The fingerprint of the certificate that is served.
  std::string served() const { return cluster::served_sha256("127.0.0.1", std::to_string(port_)); }

  bool serves(const certs::Pair& client_pair) const {
    return answers(TlsClient(port_, {.pair = &client_pair}).post(review("a")), "a");
  }

  test::TemporaryFolder root_;
  int versions_ = 0;
  std::unique_ptr<Process> server_;
  std::vector<std::string> warnings_;  // logged at start-up
  std::uint16_t port_ = 0;
  std::uint16_t admin_port_ = 0;
};

certs::Description describe(const certs::Pem& pem) {
  return certs::describe(certs::parse_pair(pem).leaf());
}

double seconds_of(const certs::Description& certificate) {
  return static_cast<double>(certificate.not_after.time_since_epoch().count());
}

const std::string kSuccesses = R"(winadmit_certificate_reloads_total{result="success"})";
const std::string kFailures = R"(winadmit_certificate_reloads_total{result="failure"})";
const std::string kExpiry = "winadmit_certificate_expiry_timestamp_seconds";

TEST_F(Reload, ServesANewPairToNewConnectionsAndKeepsTheOldOnes) {
  const certs::Pem first = certs::issue_self_signed(1h);
  const certs::Pem second = certs::issue_self_signed(2h);
  swap(first);
  ASSERT_NO_FATAL_FAILURE(start());
  EXPECT_EQ(served(), describe(first).sha256);
  EXPECT_EQ(metric(kExpiry), seconds_of(describe(first)));
  EXPECT_EQ(metric(kSuccesses), 0);

  TlsClient old(port_);
  EXPECT_TRUE(answers(old.post(review("before")), "before"));

  swap({.certificate = second.certificate, .key = second.key.substr(0, 100)});
  EXPECT_TRUE(eventually([&] { return metric(kFailures) >= 2; })) << "it retries at each interval";
  EXPECT_EQ(served(), describe(first).sha256);
  EXPECT_EQ(metric(kExpiry), seconds_of(describe(first)));
  EXPECT_EQ(metric(kSuccesses), 0);

  swap(second);
  EXPECT_TRUE(eventually([&] { return served() == describe(second).sha256; }));
  EXPECT_EQ(metric(kSuccesses), 1);
  EXPECT_EQ(metric(kExpiry), seconds_of(describe(second)));
  EXPECT_TRUE(answers(old.post(review("after")), "after")) << "on the old connection";

  EXPECT_EQ(server_->end(), 0);
  int errors = 0;
  for (std::string line; !(line = server_->line()).empty();)
    errors += line.find("certificate not reloaded") != line.npos ? 1 : 0;
  EXPECT_EQ(errors, 1) << "logged once";
}

TEST_F(Reload, ServesTheClientsOfANewCaWithoutANewPair) {
  const certs::Pair old_ca = make_pair(ca_spec());
  const certs::Pair new_ca = make_pair(ca_spec());
  const certs::Pair old_client = make_pair(client_spec("kube-apiserver"), &old_ca);
  const certs::Pair new_client = make_pair(client_spec("kube-apiserver"), &new_ca);
  const certs::Pair kubelet = make_pair(client_spec("kubelet"), &new_ca);
  const auto write_ca = [&](const certs::Pair& ca) {
    std::ofstream(root_ / "new.crt") << certs::to_pem(ca.leaf());
    fs::rename(root_ / "new.crt", root_ / "ca.crt");
  };
  swap(certs::issue_self_signed(1h));
  write_ca(old_ca);
  ASSERT_NO_FATAL_FAILURE(
      start({"--client-ca", root_ / "ca.crt", "--client-name", "kube-apiserver"}));
  EXPECT_TRUE(serves(old_client));
  EXPECT_FALSE(serves(new_client));
  write_ca(new_ca);
  EXPECT_TRUE(eventually([&] { return serves(new_client); }));
  EXPECT_FALSE(serves(old_client));
  EXPECT_FALSE(serves(kubelet)) << "not in --client-name";
  EXPECT_EQ(metric(kSuccesses), 1);
}

TEST_F(Reload, WarnsOnceBeforeAndOnceAfterTheCertificateExpires) {
  swap(certs::issue_self_signed(3s));
  ASSERT_NO_FATAL_FAILURE(start());
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_.front().find("the served certificate expires at 20"), std::string::npos);
  EXPECT_TRUE(http_get(admin_port_, "/readyz").starts_with("200 ok\nwarning: the served"));
  EXPECT_TRUE(eventually([&] {
    return http_get(admin_port_, "/readyz")
        .starts_with("200 ok\nwarning: the served certificate expired at 20");
  }));
  // Go's clients, such as API servers, do not say that it has expired.
  for (int i = 0; i < 3; ++i) TlsClient(port_, {.verify_error = X509_V_ERR_CERT_REJECTED});
  EXPECT_TRUE(eventually(
      [&] { return metric(R"(winadmit_tls_handshake_failures_total{reason="expired"})") == 3; }));
  std::this_thread::sleep_for(200ms);  // some polls
  EXPECT_EQ(server_->end(), 0);
  std::map<std::string, int> counts;
  for (std::string line; !(line = server_->line()).empty();) {
    const auto log = nlohmann::json::parse(line);
    ++counts[log.at("msg").get<std::string>().substr(0, 34)];
  }
  EXPECT_EQ(counts["the served certificate expired at "], 1);
  EXPECT_LE(counts["a client refuses the served certif"], 2) << "one for each thread in a minute";
  EXPECT_GE(counts["a client refuses the served certif"], 1);
}

TEST_F(Reload, NamesTheCauseWhenAClientDoesNotTrustTheCertificate) {
  swap(certs::issue_self_signed(1h));
  ASSERT_NO_FATAL_FAILURE(start());
  TlsClient(port_, {.verify_error = X509_V_ERR_CERT_REJECTED, .from = "127.0.0.3"});
  std::string line;
  do {
    line = server_->line();
  } while (!line.empty() && line.find("does not trust") == line.npos);
  EXPECT_NE(line.find("caBundle of the webhook configurations"), line.npos) << line;
  EXPECT_NE(line.find("127.0.0.3"), line.npos) << line;
}

TEST_F(Reload, TellsOfRequestsThatAreRefusedBeforeAReview) {
  swap(certs::issue_self_signed(1h));
  ASSERT_NO_FATAL_FAILURE(start());
  for (int i = 0; i < 3; ++i) {
    TlsClient client(port_, {.from = "127.0.0.3"});
    EXPECT_EQ(client.post("{", "/mutate").status, 400) << "this has the line of a review";
    EXPECT_EQ(client.post(review("a"), "/nowhere").status, 404);
  }
  const auto lines = end_and_read_log("a request is refused");
  for (const auto& line : lines) {
    EXPECT_EQ(line.at("status"), 404);
    EXPECT_EQ(line.at("cause"), "no such path: winadmit serves /mutate and /validate");
    EXPECT_EQ(line.at("client"), "127.0.0.3");
  }
  EXPECT_GE(lines.size(), 1U);
  EXPECT_LE(lines.size(), 2U) << "one for each thread in a minute";
}

TEST_F(Reload, NamesAClientWhoseConnectionIsClosedToMakeRoom) {
  swap(certs::issue_self_signed(1h));
  ASSERT_NO_FATAL_FAILURE(start({"--max-connections", "2"}));
  std::vector<std::unique_ptr<TlsClient>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<TlsClient>(port_, ClientOptions{.from = "127.0.0.3"}));
    EXPECT_TRUE(answers(clients.back()->post(review("a")), "a"));
  }
  const auto lines = end_and_read_log("a connection is closed to make room for others");
  for (const auto& line : lines) EXPECT_EQ(line.at("client"), "127.0.0.3");
  EXPECT_GE(lines.size(), 1U);
  EXPECT_LE(lines.size(), 2U) << "one for each thread in a minute";
}

TEST_F(Reload, TellsWhenTheFilesHaveTheServedCertificateAgain) {
  const certs::Pem served = certs::issue_self_signed(1h);
  swap(served);
  ASSERT_NO_FATAL_FAILURE(start());
  swap({.certificate = served.certificate, .key = "junk"});
  EXPECT_TRUE(eventually([&] { return metric(kFailures) > 0; }));
  swap(served);
  std::this_thread::sleep_for(200ms);  // some polls
  EXPECT_EQ(end_and_read_log("the files have the served certificate again").size(), 1U);
}

TEST_F(Reload, LogsOnceThatEveryUserCanReadTheKey) {
  swap(certs::issue_self_signed(1h), fs::perms(0644));
  ASSERT_NO_FATAL_FAILURE(start());
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_.front().find("tls.key can be read by every user"), std::string::npos);
  EXPECT_EQ(server_->end(), 0);
  for (std::string line; !(line = server_->line()).empty();)
    EXPECT_EQ(line.find("every user"), line.npos) << line;
}

TEST_F(Reload, DoesNotStartWithABrokenPair) {
  swap({.certificate = certs::issue_self_signed(1h).certificate, .key = "junk"});
  Process server({"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--tls-cert",
                  root_ / "tls.crt", "--tls-key", root_ / "tls.key"});
  const std::string line = server.line();
  EXPECT_NE(line.find((root_ / "tls.key").string() + " contains no readable PEM private key"),
            std::string::npos)
      << line;
  EXPECT_EQ(server.line(), "");
  EXPECT_EQ(server.end(), 2);
}

}  // namespace
}  // namespace winadmit::test
