// One client: handshake, then requests one after the other until it goes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "server/asio.hpp"
#include "server/http_head.hpp"
#include "server/routes.hpp"
#include "server/tls_stream.hpp"

namespace winadmit::server {

struct Limits {
  HttpLimits http;
  std::size_t large_bodies = 32 * 1024 * 1024;  // bytes, of all in flight in a thread; one fits
  std::size_t connections = 4096;
  std::chrono::milliseconds handshake{10'000};
  std::chrono::milliseconds idle{120'000};    // between requests
  std::chrono::milliseconds request{10'000};  // from a request's first byte to its answer's last
};

/// Memory for what arrives, shared by the connections of a thread. A connection needs some only
/// from a request's first byte to its last, so few serve many, and stay in the processor's cache.
class ArrivalMemory {
 public:
  /// A head of the largest size, and most bodies.
  static constexpr std::size_t kBlock = 16 * 1024 + 512;

  explicit ArrivalMemory(std::size_t large_bodies) : left_for_large_(large_bodies) {}

  std::unique_ptr<char[]> take();
  void give_back(std::unique_ptr<char[]> block);

  /// What a large body takes of the thread's bound, until the request is done: many at once must
  /// not end the process.
  class Share {
   public:
    explicit Share(ArrivalMemory& memory) : memory_(memory) {}
    ~Share() { memory_.left_for_large_ += size_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Once. False: others have all of it.
    bool take(std::size_t size);

   private:
    ArrivalMemory& memory_;
    std::size_t size_ = 0;
  };

 private:
  std::vector<std::unique_ptr<char[]>> spare_;
  std::size_t left_for_large_;
};

/// Bytes that have arrived and are not worked off, with the padding that simdjson reads beyond
/// them. Memory comes with the first byte and goes with the last.
class ArrivalBuffer {
 public:
  explicit ArrivalBuffer(ArrivalMemory& memory) : memory_(memory) {}
  ~ArrivalBuffer() { release(); }
  ArrivalBuffer(const ArrivalBuffer&) = delete;
  ArrivalBuffer& operator=(const ArrivalBuffer&) = delete;

  char* data() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  char* end() { return bytes_.get() + size_; }
  std::size_t room() const { return capacity_ - size_; }

  void reserve(std::size_t capacity);
  void arrived(std::size_t count) { size_ += count; }
  /// What was worked off goes; a pipelined request moves to the front.
  void consume(std::size_t count);

 private:
  void release();

  ArrivalMemory& memory_;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

/// What the connections of one thread share.
struct Worker {
  Worker(const Limits& its_limits, Handler its_handler, Shard& its_shard)
      : limits(its_limits),
        handler(std::move(its_handler)),
        shard(its_shard),
        memory(std::max(its_limits.large_bodies, its_limits.http.header + its_limits.http.body)) {}

  const Limits& limits;
  Handler handler;
  Shard& shard;
  ArrivalMemory memory;
  TextBuffer reply;  // the one that is being sent; built and encrypted without a pause
  bool draining = false;
  std::list<class Connection*> connections;
};

/// The time by which deadlines are set, to a few milliseconds: three looks a request, each a
/// quarter of what one at the exact clock costs. The same epoch.
inline Clock::time_point about_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return Clock::time_point(std::chrono::seconds(now.tv_sec) +
                           std::chrono::nanoseconds(now.tv_nsec));
}

class Connection {
 public:
  Connection(Socket socket, SSL_CTX* context, Worker& worker);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Until the client goes or fails, or the server drains.
  Task<void> run();

  /// One deadline a connection, looked at once in a while by the thread's watch, so that no timer
  /// is armed for an operation. Closes an idle connection whose client has hung up, too.
  void close_if_over(Clock::time_point now);

  /// Ends an idle connection at once, a busy one after its answer.
  void drain();

 private:
  enum class Step { next, close, gone };

  Task<void> serve();
  Task<Step> serve_request();
  Task<bool> read_more(std::size_t wanted);
  Task<error_code> read_head(HttpHead& head, std::size_t& size);
  Task<error_code> read_chunks(HttpHead& head);
  Task<Step> serve_chunked(HttpHead& head, std::size_t head_size);
  Step send_now(const HttpReply& reply, bool keep_alive);
  Step refuse(error_code error);
  Step refuse_as_busy();

  void set_deadline(Clock::duration in) { deadline_ = about_now() + in; }

  TlsStream stream_;
  Worker& worker_;
  std::list<Connection*>::iterator self_;
  ArrivalBuffer in_;
  Clock::time_point deadline_;
  bool idle_ = true;            // nothing of a request has arrived; during the handshake too
  bool was_looked_at_ = false;  // since it is idle
  bool drained_ = false;
};

}  // namespace winadmit::server
