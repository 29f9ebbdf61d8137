#include "live/site.h"

#include <charconv>
#include <fmt/format.h>
#include <httplib.h>
#include <strings.h>

#include "live/bounded_server.h"

namespace cutaway::live {
namespace {

using httplib::Request, httplib::Response, httplib::Server;

constexpr const char* kJson = "application/json";

// The page may load nothing external, and no other site may embed or read it.
const httplib::Headers kHeaders = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"}};

// Compares in constant time.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < std::min(a.size(), b.size()); i++)
    differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differs == 0;
}

bool names_us(const std::string& host, int port) {
  for (const std::string name : {"127.0.0.1", "localhost"}) {
    if (strcasecmp(host.c_str(), fmt::format("{}:{}", name, port).c_str()) == 0) return true;
    if (port == 80 && strcasecmp(host.c_str(), name.c_str()) == 0) return true;
  }
  return false;
}

bool has_token(const std::string& path, const std::string& token) {
  const size_t end = path.find('/', 1);
  return end != path.npos && path[0] == '/' && same_secret(std::string_view(path).substr(1, end - 1), token);
}

void answer_error(Response& response, int status, const std::string& text) {
  response.status = status;
  response.set_content(fmt::format("{{\"error\":\"{}\"}}\n", text), kJson);
}

void record(const Site& site, const Request& request, Response& response) {
  LiveControl& control = site.control;
  if (!control.can_record)
    return answer_error(response, 409, "the command writes a timeline already (--timeline)");
  uint64_t frame = control.first_frame;
  if (const std::string text = request.get_param_value("frame"); !text.empty()) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), frame);
    if (error != std::errc() || end != text.data() + text.size())
      return answer_error(response, 400, "frame: not a number");
  }
  uint64_t none = 0;
  if (frame == 0) return answer_error(response, 409, "no frame is under way");
  if (!control.on_clock.holds(frame)) return answer_error(response, 409, "this frame is not on the clock");
  if (!control.record_frame.compare_exchange_strong(none, frame))
    return answer_error(response, 409, "a timeline is being recorded");
  response.set_content(fmt::format("{{\"recording\":{}}}\n", frame), kJson);
}

// Does not wait for a request body: commands have none.
void answer(const Site& site, const Request& request, Response& response) {
  LiveControl& control = site.control;
  const std::string what = request.path.substr(request.path.rfind('/') + 1);
  const bool order = request.method == "POST", read = !order;
  response.status = 200;
  if (request.path.size() != site.token.size() + 2 + what.size()) {
    answer_error(response, 404, "not found");
  } else if (read && what.empty()) {
    response.set_content(site.page, "text/html; charset=utf-8");
  } else if (read && what == "state") {
    const uint64_t frame = control.record_frame;
    response.set_content(fmt::format("{{\"paused\":{},\"recording\":{},{}}}\n", control.paused.load(),
                                     frame ? fmt::to_string(frame) : "null", site.state()),
                         kJson);
    site.on_read();
  } else if (order && (what == "pause" || what == "resume")) {
    control.paused = what == "pause";
    response.set_content(fmt::format("{{\"paused\":{}}}\n", what == "pause"), kJson);
  } else if (order && what == "record") {
    record(site, request, response);
  } else if (order && what == "stop") {
    control.record_frame = 0;
    response.set_content("{\"recording\":null}\n", kJson);
  } else {
    answer_error(response, 404, "not found");
  }
}

// A request in memory, and the answer to it.
class HeadStream final : public httplib::Stream {
 public:
  explicit HeadStream(std::string_view head) : head_(head) {}
  std::string take_answer() { return std::move(answer_); }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    const size_t count = head_.copy(to, size);
    head_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, size_t size) override {
    answer_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return -1; }

 private:
  std::string_view head_;
  std::string answer_;
};

// The library's server without its connections, which are not bounded: it takes a request from memory.
class Answerer final : Server {
 public:
  explicit Answerer(std::function<void(const Request&, Response&)> handle) {
    set_keep_alive_max_count(1);
    set_default_headers(kHeaders);
    set_pre_routing_handler([handle = std::move(handle)](const Request& request, Response& response) {
      handle(request, response);
      return HandlerResponse::Handled;
    });
  }
  std::string answer(std::string_view head) {
    HeadStream stream(head);
    bool closed = false;
    process_request(stream, true, closed, nullptr);
    return stream.take_answer();
  }
};

}  // namespace

int refusal(const Site& site, int port, const std::string& method, const std::string& path,
            const std::string& host, const std::string& origin) {
  // A foreign page whose domain name resolves to this host (DNS rebinding) still sends its own name.
  if (!names_us(host, port)) return 403;
  if (!has_token(path, site.token)) return 404;
  if (method == "GET" || method == "HEAD") return 0;
  if (method != "POST") return 405;
  return origin == "http://" + host ? 0 : 403;
}

void serve(const Site& site, int port, const std::function<void(int port)>& on_bound) {
  const int socket = listen_locally(port);
  if (socket < 0) return on_bound(0);
  port = port_of(socket);
  Answerer answerer([&site, port](const Request& request, Response& response) {
    const bool clear = request.get_header_value_count("Host") == 1;
    const int status =
        refusal(site, port, request.method, request.path, clear ? request.get_header_value("Host") : "",
                request.get_header_value("Origin"));
    if (status) answer_error(response, status, status == 404 ? "not found" : "refused");
    else answer(site, request, response);
  });
  BoundedServer server(socket, {}, [&](std::string_view head) { return answerer.answer(head); });
  on_bound(port);
  for (;;) server.step(std::chrono::seconds(1));
}

}  // namespace cutaway::live
