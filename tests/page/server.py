#!/usr/bin/env python3
"""Attacks `assay serve`: server.py PROGRAM DATA."""
import concurrent.futures
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse


class Server:
    """A running server, and ways to ask it."""

    def __init__(self, program, folder, *words):
        self.process = subprocess.Popen([program, "serve", "--no-open", *words], cwd=folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        assert self.address.port, self.process.stderr.read()
        self.token = self.address.query.removeprefix("token=")

    def ask(self, path, token=True, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=30)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["X-Assay-Token"] = self.token if token is True else token
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        code = self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)


def check_who_may_ask(program, folder):
    with Server(program, folder) as server:
        port = server.address.port
        for expected, options in (
                (200, {}), (403, {"token": False}), (403, {"token": "0" * 32}), (403, {"token": server.token[:-1]}),
                (200, {"Host": f"localhost:{port}"}), (403, {"Host": "evil.example"}), (403, {"Host": f"evil.example:{port}"}),
                (403, {"Host": "127.0.0.1"}), (200, {"Origin": f"http://127.0.0.1:{port}"}),
                (403, {"Origin": "http://evil.example"}), (403, {"Origin": "null"})):
            status, _ = server.ask("/api/runs", **options)
            assert status == expected, (status, expected, options)
        status, _ = server.ask(f"/?token={server.token}", token=False)
        assert status == 200
        assert server.stop() == 0


def check_no_path_leads_out(program, folder):
    with Server(program, folder, "--root", "root") as server:
        for path in ("/../secret", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "/root/golden",
                     "/api/files?path=..", "/api/files?path=/etc", "/api/files?path=out", "/api/files?path=%00",
                     "/api/files?path=golden/../..", "/api/runs/../../etc/passwd"):
            status, text = server.ask(path)
            assert status == 404, (path, status, text)
            assert b"secret" not in text and b"root:" not in text, (path, text)
        for form in ({"golden": "golden", "target": "../outside"}, {"golden": "golden", "target": "out"},
                     {"golden": "linked", "target": "target"}, {"golden": "/etc", "target": "target"},
                     {"golden": "golden", "target": "target", "graph": "../outside/a.npy"}):
            status, _ = server.ask("/api/jobs", method="POST", body=json.dumps(form).encode(), Content_Type="application/json")
            assert status == 404, (form, status)


def check_nothing_listens_elsewhere(program, folder):
    with Server(program, folder) as server:
        wanted = f"{server.address.port:04X}"
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines() + pathlib.Path("/proc/net/tcp6").read_text().splitlines()
        # column 1: address:port in hex; column 3: 0A is LISTEN
        bound = [line.split()[1] for line in lines[1:] if line.split()[1].endswith(":" + wanted) and line.split()[3] == "0A"]
        assert bound == [f"0100007F:{wanted}"], bound


def check_fifty_clients(program, folder):
    with Server(program, folder, "run.assay") as server:
        def client(number):
            return [server.ask(path)[0] for path in ("/", "/api/runs", "/api/runs/0", f"/api/runs/0/rows/{number % 2}")]
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(client, range(50)))
        assert answers == [[200] * 4] * 50, answers
        assert server.stop() == 0


def check_garbage_does_no_harm(program, folder):
    with Server(program, folder) as server:
        for junk in (b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /api/jobs HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
                     b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"PUT / HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.address.port), timeout=5) as link:
                link.sendall(junk)
        for body in (b"", b"{", b"[1]", b"x" * 100000):
            status, _ = server.ask("/api/jobs", method="POST", body=body, Content_Type="application/json")
            assert status == 422, (body[:9], status)
        status, _ = server.ask("/api/jobs", method="POST", body=b"{}", Content_Type="text/plain")
        assert status == 403
        assert server.ask("/api/runs")[0] == 200


def check_killed_and_restarted(program, folder):
    before = sorted(str(p) for p in pathlib.Path(folder).rglob("*"))
    with Server(program, folder, "run.assay") as server:
        port = server.address.port
        form = json.dumps({"golden": "root/golden", "target": "root/target"}).encode()
        assert server.ask("/api/jobs", method="POST", body=form, Content_Type="application/json")[0] == 200
        server.stop(signal.SIGKILL)
    with Server(program, folder, "run.assay", "--port", str(port)) as again:
        assert again.address.port == port
        assert again.token != server.token
        assert again.ask("/api/runs/0")[0] == 200
        # A taken port is an error, not a second owner.
        second = subprocess.run([program, "serve", "--no-open", "--port", str(port)], cwd=folder, capture_output=True, text=True, timeout=20)
        assert second.returncode == 2 and "cannot listen" in second.stderr, second
        started = time.monotonic()
        assert again.stop(signal.SIGTERM) == 0
        assert time.monotonic() - started < 10
    assert sorted(str(p) for p in pathlib.Path(folder).rglob("*")) == before


def make_folder(program, data, folder):
    root, pairs = pathlib.Path(folder) / "root", pathlib.Path(data) / "pairs"
    for side, suffix in (("golden", "golden"), ("target", "my")):
        (root / side).mkdir(parents=True)
        for name in ("00_f32_7", "03_f32_1000"):
            (root / side / f"{name}.npy").write_bytes((pairs / f"{name}.{suffix}.npy").read_bytes())
    outside = pathlib.Path(folder) / "outside"
    outside.mkdir()
    (outside / "a.npy").write_text("secret")
    (root / "out").symlink_to(outside)
    (root / "linked").mkdir()
    (root / "linked" / "out").symlink_to(outside)
    subprocess.run([program, "compare", "root/golden", "root/target", "-o", "run.assay"], cwd=folder, capture_output=True, timeout=60)


def main(program, data):
    passed = failed = 0
    program = os.path.abspath(program)
    for name, check in [(n, c) for n, c in globals().items() if n.startswith("check_")]:
        with tempfile.TemporaryDirectory() as folder:
            make_folder(program, data, folder)
            try:
                check(program, folder)
                passed += 1
                print(name[6:], flush=True)
            except Exception:
                failed += 1
                print(f"{name}:\n{traceback.format_exc()}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
