#include "live/bounded_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace cutaway::live {
namespace {

using std::chrono::milliseconds;
using testing::StartsWith;

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";

class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;

  bool connected() const { return connected_; }
  // False if the server has closed the connection.
  bool send(std::string_view bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || errno == EAGAIN;
  }
  // Takes received bytes, up to a number.
  size_t receive(size_t most = 1 << 20) {
    std::string bytes(most, '\0');
    const ssize_t count = recv(socket_, bytes.data(), most, MSG_DONTWAIT);
    ended_ = count == 0 || (count < 0 && errno != EAGAIN);
    if (count > 0) received_.append(bytes.data(), static_cast<size_t>(count));
    return count > 0 ? static_cast<size_t>(count) : 0;
  }
  const std::string& received() const { return received_; }
  bool ended() const { return ended_; }  // as the last receive() saw it

 private:
  int socket_;
  bool connected_ = false, ended_ = false;
  std::string received_;
};

struct Bounded : testing::Test {
  ServerLimits limits{.head_bytes = 1000,
                      .head_lines = 10,
                      .connections = 8,
                      .answer_bytes = 6 << 20,
                      .time = milliseconds(400),
                      .drain_time = milliseconds(100)};
  std::string text = "text";
  std::vector<std::string> heads;
  std::unique_ptr<BoundedServer> server;
  int port = 0;

  void start() {
    const int socket = listen_locally(0);
    ASSERT_GE(socket, 0);
    port = port_of(socket);
    server = std::make_unique<BoundedServer>(socket, limits, [this](std::string_view head) {
      heads.emplace_back(head);
      return "answer: " + text;
    });
  }
  void steps(int count = 20) const {
    for (int i = 0; i < count; i++) server->step(milliseconds(1));
  }
  // Serves until a client has its whole answer.
  std::string answer(Client& client) const {
    for (int i = 0; i < 200 && !client.ended(); i++) {
      server->step(milliseconds(1));
      while (client.receive()) {}
    }
    return client.received();
  }
  // A new client asks, and is answered within a few steps.
  bool answers() const {
    Client client(port);
    return client.send(kRequest) && answer(client) == "answer: text";
  }
};

TEST_F(Bounded, AnswersOneRequestOfAConnection) {
  start();
  Client client(port);
  client.send("GET / HT");
  steps();
  EXPECT_EQ(heads.size(), 0u);
  client.send("TP/1.1\r\n\r");
  steps();
  EXPECT_EQ(heads.size(), 0u);
  client.send("\nGET /second HTTP/1.1\r\n\r\n");
  EXPECT_EQ(answer(client), "answer: text");
  EXPECT_EQ(heads, std::vector<std::string>{"GET / HTTP/1.1\r\n\r\n"});
  EXPECT_EQ(server->held_bytes(), 0u);
}

TEST_F(Bounded, RefusesALargeHeadAndManyLines) {
  start();
  Client large(port), lines(port), fits(port), endless(port);
  large.send("GET / HTTP/1.1\r\nX: " + std::string(1000, 'a') + "\r\n\r\n");
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 9; i++) many += "X: a\r\n";
  lines.send(many + "\r\n");
  fits.send("GET / HTTP/1.1\r\nX: " + std::string(900, 'a') + "\r\n\r\n");
  endless.send("GET /" + std::string(5000, 'a'));
  EXPECT_THAT(answer(large), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer(lines), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer(endless), StartsWith("HTTP/1.1 431 "));
  EXPECT_EQ(answer(fits), "answer: text");
  EXPECT_EQ(heads.size(), 1u);
}

// The server reads a body, or more of a head that is too large, without keeping it, and not for long.
TEST_F(Bounded, KeepsNothingAfterTheHead) {
  start();
  Client client(port);
  client.send(kRequest);
  const std::string more(100'000, 'b');
  const auto begin = std::chrono::steady_clock::now();
  while (client.send(more) && std::chrono::steady_clock::now() - begin < milliseconds(2000)) {
    steps(5);
    ASSERT_EQ(server->held_bytes(), 0u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(1000));
  EXPECT_EQ(server->connections(), 0u);
}

// A connection ends at its time, however often a byte comes.
TEST_F(Bounded, EndsConnectionsThatDrip) {
  start();
  std::vector<std::unique_ptr<Client>> dripping;
  for (int i = 0; i < 4; i++) dripping.push_back(std::make_unique<Client>(port));
  const auto begin = std::chrono::steady_clock::now();
  steps(4);
  EXPECT_EQ(server->connections(), 4u);
  while (!dripping.empty() && std::chrono::steady_clock::now() - begin < milliseconds(5000)) {
    std::erase_if(dripping, [](const auto& client) { return !client->send("a"); });
    steps(10);
    ASSERT_TRUE(answers());
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begin, limits.time);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4 * limits.time);
}

TEST_F(Bounded, AnswersBesideMoreConnectionsThanItHolds) {
  start();
  std::vector<std::unique_ptr<Client>> open;
  for (int i = 0; i < 100; i++) {
    open.push_back(std::make_unique<Client>(port));
    ASSERT_TRUE(open.back()->connected());
    if (i % 10 == 9) { ASSERT_TRUE(answers()) << i; }
    EXPECT_LE(server->connections(), limits.connections);
  }
}

// Clients that never read hold no more than the limit, and make nobody else wait.
TEST_F(Bounded, BoundsAnswersThatNobodyReads) {
  text = std::string(1 << 20, 't');
  start();
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < 8; i++) {
    silent.push_back(std::make_unique<Client>(port));
    silent.back()->send(kRequest);
    steps(3);
    EXPECT_LE(server->held_bytes(), limits.answer_bytes);
  }
  Client client(port);
  client.send(kRequest);
  EXPECT_EQ(answer(client).size(), text.size() + 8);
}

TEST_F(Bounded, SendsToASlowReader) {
  limits.time = milliseconds(5000);
  text = std::string(4 << 20, 't');
  start();
  Client client(port);
  client.send(kRequest);
  for (int i = 0; i < 2000 && !client.ended(); i++) {
    server->step(milliseconds(1));
    client.receive(10'000);
  }
  EXPECT_EQ(client.received().size(), text.size() + 8);
}

// A client that cannot be accepted keeps the socket readable.
TEST_F(Bounded, RestsWhileTheProcessHasNoDescriptor) {
  start();
  Client client(port);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const int free = dup(0);
  ASSERT_EQ(close(free), 0);
  rlimit none_left = limit;
  none_left.rlim_cur = static_cast<rlim_t>(free);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none_left), 0);
  const auto end = std::chrono::steady_clock::now() + milliseconds(250);
  int steps = 0;
  for (; std::chrono::steady_clock::now() < end; steps++) server->step(milliseconds(250));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_LT(steps, 20);
  EXPECT_TRUE(client.send(kRequest));
  EXPECT_EQ(answer(client), "answer: text");
}

TEST_F(Bounded, TakesAPortAlone) {
  start();
  EXPECT_EQ(listen_locally(port), -1);
}

}  // namespace
}  // namespace cutaway::live
