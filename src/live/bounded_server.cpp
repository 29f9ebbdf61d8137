#include "live/bounded_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace cutaway::live {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::string_view kTooLarge =
    "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
constexpr milliseconds kRest{100};   // of a process without a descriptor, before it tries again
constexpr int kAcceptsAtATime = 64;  // between them the open connections are served

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

BoundedServer::BoundedServer(int listening_socket, const ServerLimits& limits, Answer answer)
    : listening_(listening_socket), limits_(limits), answer_(std::move(answer)) {}

BoundedServer::~BoundedServer() {
  while (!connections_.empty()) close(connections_.begin());
  ::close(listening_);
}

size_t BoundedServer::held_bytes() const {
  size_t bytes = 0;
  for (const Connection& connection : connections_)
    bytes += connection.head.size() + connection.answer.size();
  return bytes;
}

void BoundedServer::step(milliseconds patience) {
  const bool rests = Clock::now() < accepts_from_;
  std::vector<pollfd> polled{{rests ? -1 : listening_, POLLIN, 0}};
  auto until = Clock::now() + patience;
  if (rests) until = std::min(until, accepts_from_);
  for (const Connection& connection : connections_) {
    const bool sends = connection.state == State::kAnswering;
    polled.push_back({connection.socket, static_cast<short>(sends ? POLLOUT : POLLIN), 0});
    until = std::min(until, connection.end);
  }
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
  if (poll(polled.data(), polled.size(), static_cast<int>(std::max<int64_t>(left, 0))) < 0) return;
  const auto now = Clock::now();
  auto at = connections_.begin();
  for (size_t i = 1; i < polled.size(); i++) {
    const bool goes_on = now < at->end && (!polled[i].revents || serve(*at));
    at = goes_on ? std::next(at) : close(at);
  }
  if (polled[0].revents) accept_new();
}

void BoundedServer::accept_new() {
  for (int i = 0; i < kAcceptsAtATime; i++) {
    const int socket = accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    const bool full = socket < 0 ? errno == EMFILE : connections_.size() >= limits_.connections;
    if (full && !connections_.empty()) close(connections_.begin());
    else if (full && socket < 0) accepts_from_ = Clock::now() + kRest;
    if (socket < 0) return;
    connections_.push_back({socket, Clock::now() + limits_.time});
    if (!serve(connections_.back())) close(std::prev(connections_.end()));  // most send at once
  }
}

bool BoundedServer::serve(Connection& connection) {
  if (connection.state == State::kReading && !read(connection)) return false;
  if (connection.state == State::kAnswering && !send(connection)) return false;
  return connection.state != State::kDraining || drain(connection);
}

bool BoundedServer::read(Connection& connection) {
  std::string& head = connection.head;
  char bytes[4096];
  while (connection.state == State::kReading) {
    const ssize_t count = recv(connection.socket, bytes, sizeof bytes, 0);
    if (count <= 0) return count < 0 && would_block();
    const size_t searched = head.size() < kEndOfHead.size() ? 0 : head.size() - kEndOfHead.size();
    head.append(bytes, static_cast<size_t>(count));
    const size_t end = head.find(kEndOfHead, searched);
    if (end != head.npos) head.resize(end + kEndOfHead.size());
    if (end != head.npos || head.size() > limits_.head_bytes) take(connection);
  }
  return true;
}

// Answers a whole head, or one that is too large.
void BoundedServer::take(Connection& connection) {
  const auto lines = static_cast<size_t>(std::count(connection.head.begin(), connection.head.end(), '\n'));
  const bool too_large = connection.head.size() > limits_.head_bytes || lines > limits_.head_lines;
  connection.answer = too_large ? std::string(kTooLarge) : answer_(connection.head);
  connection.head = std::string();
  connection.state = State::kAnswering;
  limit_answers(connection);
}

// Ends the oldest connections until the answers of the rest fit; the next step closes their sockets.
void BoundedServer::limit_answers(const Connection& newest) {
  size_t held = held_bytes();
  for (Connection& connection : connections_) {
    if (held <= limits_.answer_bytes || &connection == &newest) return;
    held -= connection.answer.size();
    connection.answer = std::string();
    connection.sent = 0;
    connection.end = {};
  }
}

bool BoundedServer::send(Connection& connection) {
  const std::string_view rest = std::string_view(connection.answer).substr(connection.sent);
  const ssize_t count = ::send(connection.socket, rest.data(), rest.size(), MSG_NOSIGNAL);
  if (count < 0) return would_block();
  connection.sent += static_cast<size_t>(count);
  if (connection.sent < connection.answer.size()) return true;
  connection.answer = std::string();
  connection.state = State::kDraining;
  connection.end = std::min(connection.end, Clock::now() + limits_.drain_time);
  shutdown(connection.socket, SHUT_WR);
  return true;
}

// Discards what a client still sends: a socket closed before would make the client lose the answer.
bool BoundedServer::drain(const Connection& connection) {
  char bytes[4096];
  const ssize_t count = recv(connection.socket, bytes, sizeof bytes, 0);
  return count > 0 || (count < 0 && would_block());
}

BoundedServer::Connections::iterator BoundedServer::close(Connections::iterator connection) {
  ::close(connection->socket);
  return connections_.erase(connection);
}

int listen_locally(int port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  // SO_REUSEPORT would let two processes share a port.
  const int yes = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(made, SOMAXCONN) == 0)
    return made;
  ::close(made);
  return -1;
}

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t bytes = sizeof address;
  return getsockname(socket, reinterpret_cast<sockaddr*>(&address), &bytes) == 0 ? ntohs(address.sin_port)
                                                                                 : 0;
}

}  // namespace cutaway::live
