// A new pair under the running binary: as the kubelet brings it, with a broken one in between.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "certs/issue.hpp"
#include "cluster/client.hpp"
#include "tests/certs/certificate_spec.hpp"
#include "tests/test_data.hpp"

namespace winadmit::server {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace http = boost::beast::http;
using namespace std::chrono_literals;
using Tcp = asio::ip::tcp;

/// The binary, from its start to its end.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), test::binary());
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

  /// The next line that it prints; empty at its end.
  std::string line() {
    std::string text(4096, '\0');
    return fgets(text.data(), static_cast<int>(text.size()), output_) == nullptr ? ""
                                                                                 : text.c_str();
  }

  /// Asks it to end, and returns its exit code.
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

template <typename Stream>
std::string answer_to(Stream& stream, const http::request<http::string_body>& request) {
  http::write(stream, request);
  boost::beast::flat_buffer buffer;
  http::response<http::string_body> response;
  http::read(stream, buffer, response);
  return std::to_string(response.result_int()) + "\n" + response.body();
}

template <typename Stream>
std::string get(Stream& stream, const std::string& path) {
  http::request<http::string_body> request(http::verb::get, path, 11);
  request.set(http::field::host, "localhost");
  return answer_to(stream, request);
}

/// The answer to a request that can be judged, which leaves the connection open.
template <typename Stream>
std::string review(Stream& stream) {
  http::request<http::string_body> request(http::verb::post, "/validate", 11);
  request.set(http::field::host, "localhost");
  request.set(http::field::content_type, "application/json");
  request.body() = R"({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
    "uid": "1", "kind": {"group": "", "version": "v1", "kind": "Pod"},
    "resource": {"group": "", "version": "v1", "resource": "pods"},
    "namespace": "n", "operation": "CREATE", "userInfo": {"username": "u"},
    "object": {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": []}}}})";
  request.prepare_payload();
  return answer_to(stream, request);
}

class Reload : public testing::Test {
 protected:
  Reload() {
    std::string name = (fs::temp_directory_path() / "winadmit-reload-XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::create_symlink("..data/tls.crt", root_ / "tls.crt");
    fs::create_symlink("..data/tls.key", root_ / "tls.key");
  }
  ~Reload() override { fs::remove_all(root_); }

  /// What the kubelet does when a Secret changes. `key_mode`: as the volume's defaultMode says.
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
    const auto port = [&](const char* what) {
      const auto text = log.at(what).get<std::string>();
      return text.substr(text.rfind(':') + 1);
    };
    port_ = port("listen");
    admin_port_ = port("admin_listen");
  }

  /// The value of a metric with these labels.
  double metric(const std::string& name) const {
    asio::io_context loop;
    boost::beast::tcp_stream stream(loop);
    stream.connect(Tcp::resolver(loop).resolve("127.0.0.1", admin_port_));
    const std::string text = get(stream, "/metrics");
    const std::size_t at = text.find("\n" + name + " ");
    return at == text.npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }

  template <typename Condition>
  static bool eventually(Condition condition) {
    for (int i = 0; i < 200; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(50ms);
    }
    return false;
  }

  std::string served() const { return cluster::served_sha256("127.0.0.1", port_); }

  /// Whether a client with this pair gets an answer.
  bool serves(const certs::Pair& client) const {
    asio::io_context loop;
    asio::ssl::context tls(asio::ssl::context::tls_client);
    certs::use_pair(tls.native_handle(), client);
    asio::ssl::stream<boost::beast::tcp_stream> stream(loop, tls);
    try {
      stream.next_layer().connect(Tcp::resolver(loop).resolve("127.0.0.1", port_));
      stream.handshake(asio::ssl::stream_base::client);
      return review(stream).starts_with("200");
    } catch (const boost::system::system_error&) {
      return false;
    }
  }

  fs::path root_;
  int versions_ = 0;
  std::unique_ptr<Process> server_;
  std::vector<std::string> warnings_;  // that it logged before it served
  std::string port_;
  std::string admin_port_;
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

TEST_F(Reload, ServesANewPairToNewConnectionsAndKeepsTheOldOnesAlive) {
  const certs::Pem first = certs::issue_self_signed(1h);
  const certs::Pem second = certs::issue_self_signed(2h);
  swap(first);
  ASSERT_NO_FATAL_FAILURE(start());
  EXPECT_EQ(served(), describe(first).sha256);
  EXPECT_EQ(metric(kExpiry), seconds_of(describe(first)));
  EXPECT_EQ(metric(kSuccesses), 0);

  asio::io_context loop;
  asio::ssl::context tls(asio::ssl::context::tls_client);
  asio::ssl::stream<boost::beast::tcp_stream> old(loop, tls);
  old.next_layer().connect(Tcp::resolver(loop).resolve("127.0.0.1", port_));
  old.handshake(asio::ssl::stream_base::client);
  const std::string answer = review(old);
  EXPECT_EQ(answer.substr(0, 3), "200") << answer;

  swap({.certificate = second.certificate, .key = second.key.substr(0, 100)});
  EXPECT_TRUE(eventually([&] { return metric(kFailures) >= 2; })) << "it is tried at each poll";
  EXPECT_EQ(served(), describe(first).sha256);
  EXPECT_EQ(metric(kExpiry), seconds_of(describe(first)));
  EXPECT_EQ(metric(kSuccesses), 0);

  swap(second);
  EXPECT_TRUE(eventually([&] { return served() == describe(second).sha256; }));
  EXPECT_EQ(metric(kSuccesses), 1);
  EXPECT_EQ(metric(kExpiry), seconds_of(describe(second)));
  EXPECT_EQ(review(old), answer) << "a running connection is not cut";

  EXPECT_EQ(server_->end(), 0);
  int complaints = 0;
  for (std::string line; !(line = server_->line()).empty();)
    complaints += line.find("certificate not reloaded") != line.npos ? 1 : 0;
  EXPECT_EQ(complaints, 1) << "it is said once";
}

TEST_F(Reload, ServesTheClientsOfANewCaWithoutANewPair) {
  const certs::Pair old_ca = test::make_pair(test::ca_spec());
  const certs::Pair new_ca = test::make_pair(test::ca_spec());
  const certs::Pair old_client = test::make_pair(test::client_spec("kube-apiserver"), &old_ca);
  const certs::Pair new_client = test::make_pair(test::client_spec("kube-apiserver"), &new_ca);
  const certs::Pair kubelet = test::make_pair(test::client_spec("kubelet"), &new_ca);
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
  EXPECT_FALSE(serves(kubelet)) << "not its name";
  EXPECT_EQ(metric(kSuccesses), 1);
}

TEST_F(Reload, LogsOnceThatEverybodyCanReadTheKey) {
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
}  // namespace winadmit::server
