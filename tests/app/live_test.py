#!/usr/bin/env python3
"""`simulate --live`: who may ask and who may not, what the state says, that a pause holds the machines and changes no
figure, recordings, and that the view can neither stop a command nor outlive it. The page itself in headless Chromium,
where node, Chromium and the page are there."""
import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

from command_case import CommandTest, main, options

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
ADDRESS = re.compile(r"^live view: (http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/)$")


class View:
    """A command with a live view, as a page sees it."""

    def __init__(self, process):
        self.process = process
        line = process.stderr.readline().rstrip("\n")
        found = ADDRESS.match(line)
        assert found, line + process.stderr.read()
        self.address, self.port, self.token = found[1], int(found[2]), found[3]

    def ask(self, method, path, **headers):
        """Status, headers and text. path: below the root."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, response.headers, text

    def state(self):
        status, _, text = self.ask("GET", f"/{self.token}/state")
        assert status == 200, text
        return json.loads(text)

    def order(self, name):
        status, _, text = self.ask("POST", f"/{self.token}/{name}", Origin=f"http://127.0.0.1:{self.port}")
        return status, json.loads(text)

    def settled(self):
        """The state once all processes have seen a pause and have told where they are."""
        state = self.state()
        for _ in range(40):
            time.sleep(0.6)
            before, state = state, self.state()
            if state["cycles"] == before["cycles"]:
                break
        return state

    def wait(self, condition, seconds=60):
        """The first state for which the condition holds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            state = self.state()
            if condition(state):
                return state
            time.sleep(0.01)
        raise AssertionError(state)


class Live(CommandTest):
    def view(self, *arguments):
        process = self.start("simulate", *arguments, "--quiet")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return View(process)

    def paused(self, *arguments):
        """A view of a frame that is paused on its way."""
        view = self.view(self.scene("bound-by-fill"), "--live", *arguments)
        view.wait(lambda state: state["running"])
        self.assertEqual(view.order("pause"), (200, {"paused": True}))
        view.wait(lambda state: state["paused"])
        view.settled()
        return view

    def end_of(self, view):
        output, errors = view.process.communicate(timeout=120)
        self.assertEqual(view.process.returncode, 0, errors)
        return output

    def test_who_may_ask(self):
        view = self.paused()
        here, page = f"127.0.0.1:{view.port}", f"/{view.token}/"
        for path in ("/", "/state", f"/{view.token}", f"/{'0' * 32}/", f"/{'0' * 32}/state", f"/{view.token[:-1]}/state",
                     f"/{view.token}0/state", f"//{view.token}/state", f"/x/{view.token}/state", page + "else",
                     page + "x/state", page + "../state", "/" + view.token.upper().replace("0", "O") + "/state"):
            self.assertEqual(view.ask("GET", path)[0], 404, path)
        for host in ("example.org", f"example.org:{view.port}", "127.0.0.1", f"127.0.0.1:{view.port + 1}", "",
                     f"127.0.0.1:{view.port}.example.org", None):
            self.assertEqual(view.ask("GET", page + "state", Host=host)[0], 403, host)
        for host in (here, f"localhost:{view.port}", f"LOCALHOST:{view.port}"):
            self.assertEqual(view.ask("GET", page + "state", Host=host)[0], 200)
        # Orders: POST only, and only from the page itself.
        for name in ("resume", "record", "stop", "pause"):
            self.assertEqual(view.ask("GET", page + name)[0], 404)
            self.assertEqual(view.ask("PUT", page + name, Origin="http://" + here)[0], 405)
            for origin in (None, "null", "http://example.org", f"https://{here}", f"http://localhost:{view.port}", "http://" + here + "0"):
                self.assertEqual(view.ask("POST", page + name, Origin=origin)[0], 403, (name, origin))
            self.assertEqual(view.ask("POST", f"/{'0' * 32}/{name}", Origin="http://" + here)[0], 404)
        self.assertEqual(view.ask("POST", page + "state", Origin="http://" + here)[0], 404)
        state = view.state()
        self.assertTrue(state["paused"], "one of them was taken for an order")
        self.assertIsNone(state["recording"])
        # Nothing may come from elsewhere, and nobody else may show it.
        for path in (page, page + "state", "/"):
            headers = view.ask("GET", path)[1]
            policy = headers["Content-Security-Policy"]
            for part in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"):
                self.assertIn(part, policy)
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertIsNone(headers["Access-Control-Allow-Origin"])
        # Only this machine is listened to: 127.0.0.1, as the system writes it.
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        port = f"{view.port:04X}"
        self.assertEqual({line[1] for line in listening if line[3] == "0A" and line[1].endswith(":" + port)}, {"0100007F:" + port})

    def test_what_is_no_request(self):
        view = self.paused()
        for bytes_ in (b"", b"\0" * 100, b"GET\r\n\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
                       b"POST /%s/resume HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 99999999999\r\n\r\n" %
                       (view.token.encode(), view.port)):
            with socket.create_connection(("127.0.0.1", view.port), timeout=30) as connection:
                try:
                    connection.sendall(bytes_)
                    connection.shutdown(socket.SHUT_WR)
                    connection.recv(1000)
                except ConnectionError:
                    pass  # it need not be listened to
        self.assertTrue(view.state()["paused"])

    def test_floods(self):
        """Attacks without a token: the page is answered at once, and the server's memory stays small."""
        view = self.paused()
        children = pathlib.Path(f"/proc/{view.process.pid}/task/{view.process.pid}/children").read_text().split()
        server = next(pid for pid in children if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "live-view")

        def resident():  # kB
            return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{server}/status").read_text())[1])

        def connect(count):
            made = []
            for _ in range(count):
                made.append(socket.create_connection(("127.0.0.1", view.port), timeout=30))
                self.addCleanup(made[-1].close)
                made[-1].setblocking(False)
            return made

        def push(connection, bytes_):
            """Sends what the server takes; False: it has closed the connection."""
            try:
                connection.send(bytes_)
            except BlockingIOError:
                pass
            except ConnectionError:
                return False
            return True

        def answered():
            began = time.monotonic()
            self.assertTrue(view.state()["paused"])
            self.assertLess(time.monotonic() - began, 2)

        before = resident()
        for opening in (b"GET / HTTP/1.1\r\nX: ", b"GET /", b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 90,
                        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
                        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"):
            flooding = connect(3)
            for connection in flooding:
                push(connection, opening)
            until = time.monotonic() + 0.5
            while flooding and time.monotonic() < until:
                flooding = [connection for connection in flooding if push(connection, b"a: bcdef\r\n" * 10_000)]
            answered()
        for _ in range(20):
            self.assertGreaterEqual(view.ask("GET", "/state", Range="bytes=0-" + ",0-" * 5000)[0], 400)
        answered()
        # Connections that drip, and many that send nothing.
        dripping, idle = connect(4), connect(700)
        for _ in range(8):
            for connection in dripping:
                push(connection, b"G")
            answered()
            time.sleep(0.3)
        # Readers that take nothing, with the token and without.
        for connection in connect(40):
            push(connection, f"GET /{view.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\n\r\n".encode())
            push(connection, b"GET / HTTP/1.1\r\n\r\n")
        answered()
        self.assertLess(resident() - before, 60_000, "kB more than before")

    def test_the_state(self):
        view = self.paused("--set", "shader.units=2")
        state = view.state()
        self.assertEqual((state["schema"], state["state"], state["gpu"], state["pid"]), (1, "simulating", "attila", view.process.pid))
        self.assertEqual(state["frames"], {"first": 1, "last": 1, "all": 1, "done": 0})
        self.assertGreater(state["cycles"], 0)
        self.assertTrue(0 <= state["share"] < 1, state["share"])
        frame = state["running"][0]
        self.assertEqual((frame["frame"], frame["warming_up"]), (1, False))
        self.assertEqual(frame["cycles"] % 1024, 0)
        self.assertEqual(frame["work"]["kind"], "draw")
        self.assertTrue(1 <= frame["work"]["draw"] <= frame["draws"])
        names = {unit["unit"] for unit in frame["units"]}
        self.assertTrue({"gpu.shader0", "gpu.shader1", "gpu.memory_controller"} <= names, names)
        # Shares are of the time since the last look: what passed between the last look and the pause, or nothing.
        view.order("resume")
        seen = []
        for _ in range(200):
            state = view.wait(lambda state: state["state"] == "done" or state["running"])
            seen += [frame for frame in state["running"] if any(unit["busy"] for unit in frame["units"])]
            if seen or state["state"] == "done":
                break
        for frame in seen:
            for unit in frame["units"]:
                self.assertAlmostEqual(sum(unit[name] for name in ("busy", "starved", "blocked", "idle")), 1, delta=0.001)
            self.assertTrue(0 < sum(unit["holds_up"] for unit in frame["units"]) <= 1.001)
            for queue in frame["queues"]:
                self.assertTrue(0 <= queue["filling"] <= 1, queue)
                self.assertGreater(queue["slots"], 0)
        self.assertTrue(seen)
        self.end_of(view)

    def test_a_pause_holds_all_and_changes_no_figure(self):
        file = self.scene("animation1000")
        window = ("--frames", "1..30", "--jobs", "3", "--interval", "500")
        self.assertEqual(self.call("simulate", file, "--out", "plain", "--quiet", *window).returncode, 0)
        view = self.view(file, "--live", "--out", "live", *window)
        cycles = [-1]
        for wanted in (1, 8, 20):
            view.wait(lambda state: state["frames"] and state["cycles"] > cycles[-1]
                      and state["frames"]["done"] + len(state["running"]) >= wanted)
            view.order("pause")
            before = view.settled()
            time.sleep(0.8)
            after = view.state()
            self.assertTrue(after["paused"])
            for name in ("cycles", "finished", "running", "share"):
                self.assertEqual(before[name], after[name], name)
            self.assertGreater(after["paused_seconds"], before["paused_seconds"] + 0.5)
            self.assertLess(after["seconds"] - before["seconds"], 0.3)
            cycles.append(after["cycles"])
            if wanted == 8:
                view.order(f"record?frame={after['running'][0]['frame']}")
            view.order("resume")
        self.assertEqual(cycles, sorted(set(cycles)))
        self.end_of(view)
        frames = [json.loads((self.folder / name / "summary.json").read_text()) for name in ("plain", "live")]
        for frame in frames[0]["frames"] + frames[1]["frames"]:
            frame.pop("host", None)
        self.assertEqual(*(json.dumps(one["frames"]) for one in frames))
        tables = [dump(self.folder / name / "run.sqlite") for name in ("plain", "live")]
        self.assertEqual(*tables)

    def test_recordings(self):
        (self.folder / "out").mkdir()
        view = self.paused("--out", "out")
        at = view.state()["running"][0]["cycles"]
        self.assertEqual(view.order("record?frame=7x")[0], 400)
        for absent in (77, 2, 2**64 - 1):
            self.assertEqual(view.order(f"record?frame={absent}"), (409, {"error": "this frame is not on the clock"}))
        self.assertEqual(view.order("record"), (200, {"recording": 1}))
        self.assertEqual(view.order("record")[0], 409)
        view.order("resume")
        time.sleep(0.2)
        view.order("stop")
        state = view.wait(lambda state: state["recordings"])
        recorded = state["recordings"][0]
        self.assertEqual(recorded["frame"], 1)
        self.assertTrue(at <= recorded["first_cycle"] <= at + 4096, recorded)
        self.assertGreater(recorded["last_cycle"], recorded["first_cycle"])
        # It is there while the simulation goes on, and is what --timeline writes of these cycles.
        first = (self.folder / recorded["file"]).read_bytes()
        self.assertEqual(pathlib.Path(recorded["file"]).parent.name, "out")
        raw = subprocess.run(["protoc", "--decode_raw"], input=first, capture_output=True, check=True).stdout.decode()
        self.assertIn('"gpu.shader0"', raw)
        times = [int(found) for found in re.findall(r"^  8: (\d+)$", raw, re.M)]
        self.assertGreaterEqual(min(times), recorded["first_cycle"] * 1000)
        self.assertLessEqual(max(times), (recorded["last_cycle"] + 1) * 1000)
        self.end_of(view)
        cycles = f"{recorded['first_cycle']}..{recorded['last_cycle']}"
        again = self.call("simulate", self.folder / "bound-by-fill.cutaway", "--timeline", "again.pftrace", "--timeline-cycles", cycles)
        self.assertEqual(again.returncode, 0, again.stderr)
        again = subprocess.run(["protoc", "--decode_raw"], input=(self.folder / "again.pftrace").read_bytes(),
                               capture_output=True, check=True).stdout.decode()
        # But for the bytes of memory clients in the last, shorter, interval, which end a cycle earlier.
        at_end = re.compile(rf"^  8: {recorded['last_cycle']}000$|^  8: {recorded['last_cycle'] + 1}000$", re.M)
        packets = [[packet for packet in text.split("\n1 {\n") if not at_end.search(packet)] for text in (raw, again)]
        self.assertGreater(len(packets[0]), 1000)
        self.assertTrue(packets[0] == packets[1], "the same cycles have another timeline")

    def test_a_recording_that_cannot_be_written_ends_no_simulation(self):
        view = self.paused("--out", "out")
        view.order("record")
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").write_text("a file")
        view.order("resume")
        state = view.wait(lambda state: state["recordings"])
        self.assertIn("out", state["recordings"][0]["error"])

    def test_no_recording_beside_a_timeline(self):
        view = self.view(self.scene("bound-by-fill"), "--live", "--timeline", "t.pftrace", "--timeline-cycles", "5..100")
        self.assertFalse(view.state()["can_record"])
        self.assertEqual(view.order("record")[0], 409)
        self.end_of(view)

    def test_ports(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.fails("simulate", self.scene(), "--live", str(port), "--out", "o",
                       names=[f"--live {port}", "cannot listen on this port"])
        first = self.view(self.folder / "animation4.cutaway", "--live", str(port))
        self.assertEqual(first.port, port)
        self.end_of(first)
        # Two views never share a port.
        view = self.paused()
        self.fails("simulate", self.folder / "animation4.cutaway", "--live", str(view.port),
                   names=["cannot listen on this port"])
        self.assertTrue(view.state()["paused"])
        self.fails("simulate", self.folder / "animation4.cutaway", "--live", "70000", names=["--live", "70000"])
        self.fails("simulate", "--live", "nowhere.cutaway", names=["nowhere.cutaway"])

    def test_without_it_nothing_listens(self):
        process = self.start("simulate", self.scene("bound-by-fill"), "--jobs", "1", "--quiet")
        self.addCleanup(process.communicate)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        names = set()
        while process.poll() is None:
            for pid in children.read_text().split() if children.exists() else []:
                try:
                    names.add(pathlib.Path(f"/proc/{pid}/comm").read_text().strip())
                except (FileNotFoundError, ProcessLookupError):
                    pass
            time.sleep(0.02)
        self.assertTrue(names)
        self.assertNotIn("live-view", names)

    def test_interrupts_and_a_view_that_dies(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            view = self.paused("--out", "o")
            began = time.monotonic()
            view.process.send_signal(number)
            _, errors = view.process.communicate(timeout=20)
            self.assertLess(time.monotonic() - began, 5)
            self.assertEqual(view.process.returncode, 2, errors)
            self.assertTrue(errors.startswith("cutaway: interrupted"), errors)
            self.assertFalse((self.folder / "o").exists())
            with self.assertRaises(OSError):
                view.state()
        # The server's process ends, or hangs: the simulation goes on.
        for number in (signal.SIGKILL, signal.SIGSTOP):
            view = self.paused()
            view.order("resume")
            children = pathlib.Path(f"/proc/{view.process.pid}/task/{view.process.pid}/children").read_text().split()
            server = [pid for pid in children if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "live-view"]
            self.assertEqual(len(server), 1)
            subprocess.run(["kill", f"-{int(number)}", server[0]], check=True)
            self.end_of(view)
            self.assertFalse(pathlib.Path(f"/proc/{server[0]}").exists())

    def test_the_end_is_told(self):
        view = self.paused()
        view.order("resume")
        state = view.wait(lambda state: state["state"] == "done")
        self.assertEqual(state["share"], 1)
        self.assertEqual([frame["frame"] for frame in state["finished"]], [1])
        self.assertEqual(state["cycles"], state["finished"][0]["cycles"])
        self.end_of(view)

    def test_run(self):
        process = self.start("run", "--live", "--quiet", "--", options.triangles, self.folder / "x.ppm")
        self.addCleanup(process.communicate)
        view = View(process)
        self.assertIn(view.state()["state"], ("starting", "capturing", "simulating"))
        self.end_of(view)

    def test_the_page(self):
        chromium = shutil.which("chromium")
        page = pathlib.Path(options.cutaway).parent / "live_page.html"
        if not chromium or not shutil.which("node") or not (WEB / "node_modules/playwright-core").exists() or not page.exists():
            self.skipTest("node, Chromium or the page is missing")
        view = self.paused("--out", "out", "--no-skip", "--set", "gpu.memory_mhz=8")  # some seconds
        self.assertEqual(view.ask("GET", f"/{view.token}/")[2], page.read_text())
        result = subprocess.run(["node", WEB / "tests/live_test.mjs", view.address, chromium, *options.pictures],
                                capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertTrue((self.folder / result.stdout.strip()).exists(), result.stdout)
        self.end_of(view)


def dump(path):
    """All tables of a run."""
    with sqlite3.connect(path) as database:
        return list(database.iterdump())


if __name__ == "__main__":
    import os
    options.pictures = [os.environ["CUTAWAY_PICTURES"]] if "CUTAWAY_PICTURES" in os.environ else []
    main(("cutaway", "write-scene", "triangles"))
