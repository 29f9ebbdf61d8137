#include "live/site.h"

#include <charconv>
#include <fmt/format.h>
#include <httplib.h>
#include <strings.h>

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
  Server server;
  // Not SO_REUSEPORT, which would let two processes share a port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_keep_alive_max_count(1);  // a leftover of one request is then not parsed as another
  server.set_payload_max_length(1024);
  server.set_read_timeout(5), server.set_write_timeout(5);
  server.set_default_headers(kHeaders);
  server.new_task_queue = [] { return new httplib::ThreadPool(4); };
  if (port == 0) port = std::max(0, server.bind_to_any_port("127.0.0.1"));
  else if (!server.bind_to_port("127.0.0.1", port)) port = 0;
  server.set_pre_routing_handler([&site, port](const Request& request, Response& response) {
    const bool clear = request.get_header_value_count("Host") == 1;
    const int status =
        refusal(site, port, request.method, request.path, clear ? request.get_header_value("Host") : "",
                request.get_header_value("Origin"));
    if (status) answer_error(response, status, status == 404 ? "not found" : "refused");
    else answer(site, request, response);
    return Server::HandlerResponse::Handled;
  });
  on_bound(port);
  if (port) server.listen_after_bind();
}

}  // namespace cutaway::live
