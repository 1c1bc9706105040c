#include "tests/server/transport/test_server.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <future>

#include "server/telemetry/log.hpp"
#include "tests/eventually.hpp"

namespace winadmit::test {

TestServer::TestServer(const std::function<void(server::Options&)>& change_options) {
  std::signal(SIGPIPE, SIG_IGN);
  server::set_up_logging(spdlog::level::off, server::LogFormat::json);
  options_.certificate.is_self_signed = true;
  options_.listen = "127.0.0.1:0";
  options_.admin_listen = "127.0.0.1:0";
  options_.threads = 2;
  options_.drain_delay = std::chrono::milliseconds(0);
  options_.drain_timeout = std::chrono::milliseconds(5000);
  if (change_options) change_options(options_);
  std::promise<void> started;
  thread_ = std::thread([this, &started] {
    try {
      server::serve(options_, [&](const server::Tcp::endpoint& endpoint,
                                  const server::Tcp::endpoint& admin_endpoint) {
        port_ = endpoint.port();
        admin_port_ = admin_endpoint.port();
        started.set_value();
      });
    } catch (...) {
      started.set_exception(std::current_exception());
    }
  });
  try {
    started.get_future().get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

void TestServer::send_sigterm() { ::kill(::getpid(), SIGTERM); }

void TestServer::join() {
  if (thread_.joinable()) thread_.join();
}

void TestServer::stop() {
  if (!thread_.joinable()) return;
  send_sigterm();
  join();
}

bool TestServer::reaches_metric(const std::string& end_of_line) const {
  return eventually(
      [&] { return admin("/metrics").find(end_of_line + '\n') != std::string::npos; });
}

bool serves_a_new_client(const TestServer& server) {
  TlsClient client(server.port());
  return answers(client.post(review("alive")), "alive");
}

}  // namespace winadmit::test
