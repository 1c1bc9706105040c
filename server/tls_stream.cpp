#include "server/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cstring>
#include <new>

namespace winadmit::server {
namespace {

/// One TLS record and a bit: most requests fit.
constexpr std::size_t kOwnInput = 17 * 1024;

/// Large bodies are received through one buffer a thread, many records at a time.
constexpr std::size_t kSharedInput = 64 * 1024;

/// Before what SSL_get_error() is to judge, for it looks into the thread's queue of errors. Mostly
/// nothing is there, and a look is cheaper.
void forget_errors() {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

char* shared_input() {
  thread_local std::unique_ptr<char[]> buffer(new char[kSharedInput]);
  return buffer.get();
}

}  // namespace

const BIO_METHOD* TlsStream::flat_bio() {
  static const BIO_METHOD* method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "flat buffers");
    if (made == nullptr) throw std::bad_alloc();
    BIO_meth_set_read(made, bio_read);
    BIO_meth_set_write(made, bio_write);
    BIO_meth_set_ctrl(made, [](BIO*, int command, long, void*) -> long {
      return command == BIO_CTRL_FLUSH ? 1 : 0;
    });
    return made;
  }();
  return method;
}

int TlsStream::bio_read(BIO* bio, char* to, int size) {
  auto& stream = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const std::size_t count = std::min(static_cast<std::size_t>(size), stream.input_left_);
  if (count == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  std::memcpy(to, stream.input_, count);
  stream.input_ += count;
  stream.input_left_ -= count;
  return static_cast<int>(count);
}

int TlsStream::bio_write(BIO* bio, const char* from, int size) {
  auto& stream = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  stream.send_now({from, static_cast<std::size_t>(size)});
  return size;
}

TlsStream::TlsStream(Socket socket, SSL_CTX* context, bool frugal)
    : socket_(std::move(socket)), ssl_(SSL_new(context)) {
  BIO* bio = ssl_ ? BIO_new(flat_bio()) : nullptr;
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_accept_state(ssl_.get());
  if (frugal) SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS);
}

Task<error_code> TlsStream::handshake() {
  for (;;) {
    forget_errors();
    const int result = SSL_do_handshake(ssl_.get());
    const int want = SSL_get_error(ssl_.get(), result);
    if (const error_code error = co_await flush()) co_return error;
    if (result == 1) co_return error_code{};
    if (want != SSL_ERROR_WANT_READ || !co_await receive()) {
      co_return asio::error::connection_aborted;
    }
  }
}

std::size_t TlsStream::read_now(char* to, std::size_t size) {
  std::size_t total = 0;
  do {
    std::size_t count = 0;
    forget_errors();
    if (SSL_read_ex(ssl_.get(), to + total, size - total, &count) != 1) {
      ended_ = SSL_get_error(ssl_.get(), 0) != SSL_ERROR_WANT_READ;
      break;
    }
    total += count;
  } while (total < size && input_left_ > 0);
  return total;
}

// One return: gcc 12 resumed a `co_return co_await receive()` here with a broken frame.
Task<bool> TlsStream::wait() {
  bool arrived = input_left_ > 0 || SSL_has_pending(ssl_.get()) == 1;
  if (!arrived && !ended_) {
    error_code error;
    if (!unsent_.empty()) error = co_await flush();
    if (!error) arrived = co_await receive(true);
  }
  co_return arrived;
}

Task<std::size_t> TlsStream::read(char* to, std::size_t size) {
  std::size_t count = 0;
  while (count == 0 && !ended_) {
    // A message of the session (a key update, say) may have made an answer.
    if (!unsent_.empty() && co_await flush()) break;
    if (!receive_large(size) && !co_await receive()) break;
    count = read_now(to, size);
  }
  co_return count;
}

/// The rest of a large body is mostly there already. It comes through a buffer that the thread's
/// connections share, so nothing may be left in it when another has its turn: what it decrypts to,
/// and what OpenSSL holds of a record whose end is in it, must fit in `most` bytes.
bool TlsStream::receive_large(std::size_t most) {
  if (most < 2 * kOwnInput) return false;
  error_code error;
  input_ = shared_input();
  const std::size_t size = std::min(most - kOwnInput, kSharedInput);
  const std::size_t count = socket_.read_some(asio::buffer(shared_input(), size), error);
  return received(error, count, size);
}

/// `patient`: without a look at what is there already, where that may only be the end of one who
/// has hung up with his last request. Whoever does so amidst a request is to be noticed at once.
Task<bool> TlsStream::receive(bool patient) {
  if (!own_input_) own_input_ = std::make_unique_for_overwrite<char[]>(kOwnInput);
  error_code error;
  input_ = own_input_.get();
  const auto buffer = asio::buffer(own_input_.get(), kOwnInput);
  std::size_t count = 0;
  if (patient && has_all_) {
    count = co_await socket_.async_read_more(buffer, asio::redirect_error(use_task, error));
  } else {
    count = co_await socket_.async_read_some(buffer, asio::redirect_error(use_task, error));
  }
  co_return received(error, count, kOwnInput);
}

/// What a receive into `size` bytes of input_ brought; false for nothing.
bool TlsStream::received(const error_code& error, std::size_t count, std::size_t size) {
  input_left_ = count;
  has_all_ = !error && count < size;
  return !error && count > 0;
}

void TlsStream::write_now(std::string_view bytes) {
  std::size_t written = 0;
  if (SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) != 1) ended_ = true;
}

/// Mostly the socket takes a whole record, straight from where OpenSSL has it.
void TlsStream::send_now(std::string_view record) {
  error_code error;  // flush() meets it again
  if (unsent_.empty()) {
    record.remove_prefix(socket_.write_some(asio::buffer(record.data(), record.size()), error));
  }
  unsent_ += record;
}

Task<error_code> TlsStream::flush() {
  error_code error;
  std::size_t sent = 0;
  while (sent < unsent_.size() && !error) {
    sent += co_await socket_.async_write_some(asio::buffer(unsent_) + sent,
                                              asio::redirect_error(use_task, error));
  }
  unsent_ = {};
  has_all_ = false;  // what arrived meanwhile was not noted
  co_return error;
}

Task<void> TlsStream::close(std::size_t most) {
  if (!ended_) SSL_shutdown(ssl_.get());
  error_code error = co_await flush();
  socket_.shutdown(Tcp::socket::shutdown_send, error);
  while (!error && most > 0 && co_await receive()) most -= std::min(most, input_left_);
}

bool TlsStream::has_hung_up() {
  char next = 0;
  error_code error;
  socket_.receive(asio::buffer(&next, 1), Socket::message_peek, error);
  return error == asio::error::eof;
}

void TlsStream::cancel() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace winadmit::server
