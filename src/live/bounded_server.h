#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>

namespace cutaway::live {

// Limits of what clients may make a server hold. They apply before a request is looked at.
struct ServerLimits {
  size_t head_bytes = 16 << 10;                // of a request: its line and headers
  size_t head_lines = 100;                     // the same
  size_t connections = 128;                    // open at a time; a new one ends the oldest
  size_t answer_bytes = 32 << 20;              // of answers that are not yet sent; more end the oldest
  std::chrono::milliseconds time{10'000};      // of a connection, from its acceptance to its end
  std::chrono::milliseconds drain_time{1000};  // of that, after the answer
};

// Serves one request for each connection of a listening socket, without threads. A request is its head: it
// has no body, and later bytes are discarded. No client can make another one wait: sockets never block, and a
// connection that exceeds a limit ends.
class BoundedServer {
 public:
  // The answer, all bytes of it, to a whole head, which ends with an empty line.
  using Answer = std::function<std::string(std::string_view head)>;

  // Takes over the socket.
  BoundedServer(int listening_socket, const ServerLimits& limits, Answer answer);
  ~BoundedServer();
  BoundedServer(const BoundedServer&) = delete;

  // Waits up to `patience` for something to do, and does it.
  void step(std::chrono::milliseconds patience);
  size_t connections() const { return connections_.size(); }
  size_t held_bytes() const;  // of heads and answers

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kReading, kAnswering, kDraining };
  struct Connection {
    int socket;
    Clock::time_point end;
    State state = State::kReading;
    std::string head{}, answer{};
    size_t sent = 0;
  };
  using Connections = std::list<Connection>;  // oldest first

  void accept_new();
  // They return false if the connection has ended.
  bool serve(Connection& connection);
  bool read(Connection& connection);
  bool send(Connection& connection);
  static bool drain(const Connection& connection);
  void take(Connection& connection);
  Connections::iterator close(Connections::iterator connection);
  void limit_answers(const Connection& newest);

  int listening_;
  Clock::time_point accepts_from_{};  // later, if the process has no descriptor left
  ServerLimits limits_;
  Answer answer_;
  Connections connections_;
};

// A socket that listens on 127.0.0.1; port 0: any free one. -1: the port is not available.
int listen_locally(int port);
int port_of(int socket);

}  // namespace cutaway::live
