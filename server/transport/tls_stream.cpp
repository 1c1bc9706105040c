#include "server/transport/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cstring>
#include <new>

namespace winadmit::server {
namespace {

/// The content of a record, at most. OpenSSL keeps as much for a record of which a part has
/// arrived.
constexpr std::size_t kRecord = 16 * 1024;

/// What OpenSSL may take for a ClientHello of which a part has arrived: as much as it announces.
constexpr std::size_t kClientHello = 128 * 1024;

/// How many records what arrives at once may make OpenSSL send: answers to messages of the session,
/// such as key updates. Each costs as much as a small request.
constexpr int kMostAnswers = 16;

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
  if (stream.input_.empty()) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const std::size_t count = stream.input_.copy(to, static_cast<std::size_t>(size));
  stream.input_.remove_prefix(count);
  return static_cast<int>(count);
}

int TlsStream::bio_write(BIO* bio, const char* from, int size) {
  auto& stream = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (stream.is_decrypting_ && ++stream.answers_ > kMostAnswers) return -1;
  stream.send({from, static_cast<std::size_t>(size)});
  return size;
}

TlsStream::TlsStream(Socket& socket, SSL_CTX* context, std::span<char> scratch, Client& client)
    : socket_(socket), scratch_(scratch), client_(client), ssl_(SSL_new(context)) {
  BIO* bio = ssl_ ? BIO_new(flat_bio()) : nullptr;
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_accept_state(ssl_.get());
  // An idle connection has no memory for records: 33 KB of 45 KB.
  SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS);
}

TlsStream::~TlsStream() { client_.release(held_); }

Task<error_code> TlsStream::handshake() {
  for (;;) {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    const int want = SSL_get_error(ssl_.get(), result);
    carried_ = input_;
    input_ = carried_;
    if (const error_code error = co_await flush()) co_return error;
    if (result == 1) co_return error_code{};
    if (want != SSL_ERROR_WANT_READ) co_return asio::error::connection_aborted;
    if (!account()) co_return asio::error::no_buffer_space;
    error_code error;
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(use_task, error));
    if (!error) error = receive();
    if (error) co_return error;
  }
}

Task<error_code> TlsStream::read(ReceiveBuffer& to) {
  if (input_.empty() && !ended_) {
    if (!account()) co_return asio::error::no_buffer_space;
    error_code error;
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(use_task, error));
    if (error) co_return error;
  }
  const error_code error = read_now(to);
  // A message of the session, such as a key update, may have made an answer.
  if (error || unsent_.empty() || !to.empty()) co_return error;
  co_return co_await flush();
}

/// From receive() on until all of it is decrypted nothing waits: the scratch memory is shared.
error_code TlsStream::read_now(ReceiveBuffer& to) {
  if (ended_) return asio::error::eof;
  if (input_.empty()) {
    if (const error_code error = receive()) return error;
  }
  return decrypt(to);
}

error_code TlsStream::receive() {
  error_code error;
  const std::size_t count =
      socket_.read_some(asio::buffer(scratch_.data(), scratch_.size()), error);
  if (error == asio::error::would_block) return {};  // woken for nothing
  input_ = {scratch_.data(), count};
  return error;
}

/// Appends what OpenSSL makes of input_. All of it is read, or the stream has ended.
error_code TlsStream::decrypt(ReceiveBuffer& to) {
  if (!to.reserve(input_.size())) return asio::error::no_buffer_space;
  is_decrypting_ = true;
  answers_ = 0;
  error_code error;
  while (!ended_) {
    if (to.room() == 0 && !to.reserve(kRecord)) {
      error = asio::error::no_buffer_space;
      break;
    }
    std::size_t count = 0;
    ERR_clear_error();
    if (SSL_read_ex(ssl_.get(), to.end(), to.room(), &count) != 1) {
      const int want = SSL_get_error(ssl_.get(), 0);
      failed_ = want != SSL_ERROR_WANT_READ && want != SSL_ERROR_ZERO_RETURN;
      ended_ = want != SSL_ERROR_WANT_READ;
      break;
    }
    to.commit(count);
  }
  is_decrypting_ = false;
  if (to.empty()) to.clear();
  input_ = {};
  carried_ = {};
  return error;
}

void TlsStream::write(std::string_view bytes) {
  if (failed_ || bytes.empty()) return;
  std::size_t written = 0;
  ERR_clear_error();
  if (SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) != 1) ended_ = failed_ = true;
}

/// Mostly the socket takes a whole record, straight from where OpenSSL has it.
void TlsStream::send(std::string_view record) {
  if (unsent_.empty()) {
    error_code error;  // flush() meets it again
    record.remove_prefix(socket_.write_some(asio::buffer(record.data(), record.size()), error));
  }
  unsent_ += record;
}

Task<error_code> TlsStream::flush() {
  error_code error;
  std::size_t sent = 0;
  if (!unsent_.empty() && !account()) co_return asio::error::no_buffer_space;
  while (sent < unsent_.size() && !error) {
    sent += co_await socket_.async_write_some(asio::buffer(unsent_) + sent,
                                              asio::redirect_error(use_task, error));
  }
  unsent_ = {};
  co_return error;
}

std::size_t TlsStream::held_by_openssl() const {
  if (SSL_get_state(ssl_.get()) == TLS_ST_SR_CLNT_HELLO) return kClientHello;
  // "RB": it has a record's header, and reads the body.
  const bool is_amidst_a_record =
      SSL_has_pending(ssl_.get()) == 1 || std::string_view(SSL_rstate_string(ssl_.get())) == "RB";
  return is_amidst_a_record ? kRecord : 0;
}

/// Accounts for what is held from now on, which others may have to give up for it. False: that is
/// not to be had.
bool TlsStream::account() {
  const std::size_t holds = held_by_openssl() + carried_.size() + unsent_.size();
  if (holds > held_ && !client_.hold(holds - held_)) return false;
  if (holds < held_) client_.release(held_ - holds);
  held_ = holds;
  return true;
}

Task<void> TlsStream::close(std::size_t most) {
  if (!failed_) SSL_shutdown(ssl_.get());
  error_code error = co_await flush();
  socket_.shutdown(Tcp::socket::shutdown_send, error);
  while (!error && most > 0) {
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(use_task, error));
    if (!error) error = receive();
    most -= std::min(most, input_.size());
  }
}

}  // namespace winadmit::server
