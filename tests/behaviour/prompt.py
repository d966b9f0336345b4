"""The prompt on a terminal: completion, history, Ctrl-C, the end."""
import os
import pty
import select
import signal
import subprocess
import time

import dumps
import precision_tool

PROMPT = b"PrecisionTool > "


class Terminal:
    def __init__(self, assay, folder, *words):
        self.unread = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            # libedit keeps a few strings to the end, which is no leak of ours.
            os.environ.update(TERM="xterm", ASSAY_HISTORY=os.path.join(folder, "state/history"),
                              ASAN_OPTIONS="detect_leaks=0")
            os.execv(assay.path, [assay.path, *words])

    def read(self):
        """Whether there was more."""
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            piece = b""
        self.unread += piece
        return bool(piece)

    def wait_for(self, text, seconds=60):
        """What was printed up to and with `text`."""
        end = time.monotonic() + seconds
        while text not in self.unread:
            left = end - time.monotonic()
            assert left > 0 and select.select([self.fd], [], [], left)[0], (text, self.unread)
            assert self.read(), ("it ended", self.unread)
        before, _, self.unread = self.unread.partition(text)
        return (before + text).decode(errors="replace")

    def type(self, keys, answer=PROMPT):
        os.write(self.fd, keys)
        return self.wait_for(answer)

    def status(self, seconds=60):
        """How it ended. What it prints is read: the terminal waits for that before it lets go."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
            if select.select([self.fd], [], [], 0.1)[0]:
                self.read()
        raise AssertionError("it does not end")

    def leave(self):
        """Ctrl-D, whoever has the terminal at that moment."""
        os.write(self.fd, b"\x04")
        return self.status()


def huge_dumps(folder):
    """Two sides that take minutes to compare."""
    for side in ("golden", "target"):
        os.makedirs(os.path.join(folder, side))
        for i in range(20):
            dumps.hole(os.path.join(folder, side, f"big{i}.npy"), 1 << 29)


def check_completion_history_and_end(assay, folder, _samples):
    precision_tool.work_in(folder)
    terminal = Terminal(assay, folder)  # plain `assay`
    assert "debug_0" in terminal.wait_for(PROMPT)
    assert "[Add][] add.wrong" in terminal.type(b"ls -t Ad\t\r")
    assert "te_splitd_0" in terminal.type(b"ni scope/\t\r")
    assert "2.3980153" in terminal.type(b"pt rel\t\r")
    assert '"codecs"' in terminal.type(b"list --js\tcodecs\r")
    assert "usage: vcs" in terminal.type(b"help vcs\r")
    assert "l1_a" in terminal.type(b"ni l1\t\t", b"l1_b\r\n")
    terminal.wait_for(PROMPT)  # the line as it was, below the list
    terminal.type(b"\x03", b"^C\r\n" + PROMPT)
    assert "usage: vcs" in terminal.type(b"\x1b[A\r")  # the last line again
    assert terminal.leave() == 0

    again = Terminal(assay, folder, "shell")
    again.wait_for(PROMPT)
    assert "usage: vcs" in again.type(b"\x1b[A\r"), "the history was not kept"
    assert "2.3980153" in again.type(b"\x12pt rel\r\r")  # searched backwards
    os.write(again.fd, b"exit\r")
    assert again.status() == 0


def check_ctrl_c_ends_the_command_only(assay, folder, _samples):
    huge_dumps(folder)
    terminal = Terminal(assay, folder, "shell")
    terminal.wait_for(PROMPT)
    assert "^C" in terminal.type(b"typed and not wanted\x03", b"^C\r\n" + PROMPT)
    for command, sign in ((b"compare golden target\r", b"pairing:"),
                          (b"compare golden target\r", b"pairing:"),
                          (b"run 'echo sta''rted; sleep 60'\r", b"started\r\n")):
        terminal.type(command, sign)
        time.sleep(0.5)
        sent = time.monotonic()
        os.write(terminal.fd, b"\x03")
        terminal.wait_for(PROMPT)
        assert time.monotonic() - sent < 20, command
    assert "still here" in terminal.type(b"echo still here\r", b"still here\r\nPrec")
    os.kill(terminal.pid, 0)
    assert terminal.leave() == 0


def check_a_script_ends_when_it_is_interrupted(assay, folder, _samples):
    huge_dumps(folder)
    process = subprocess.Popen([assay.path, "shell", "-c", "compare golden target; echo no"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("pairing:"):
            break
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130 and "no\n" not in out.splitlines()[-1:], (process.returncode, out)


def check_what_is_typed_ahead(assay, folder, _samples):
    """While a command runs the terminal is its own: it makes a signal of Ctrl-C and a zero of Ctrl-D."""
    for pause in (0.3, 0, 0.001, 0.003, 0.01):
        terminal = Terminal(assay, folder, "shell")
        terminal.wait_for(PROMPT)
        os.write(terminal.fd, b"echo o''ne; sleep 0.2\r")
        terminal.wait_for(b"one\r\n")
        time.sleep(pause)
        assert "two" in terminal.type("echo t''wo ä\r".encode(), "two ä\r\n".encode())
        assert terminal.leave() == 0, pause
    terminal = Terminal(assay, folder, "shell")
    terminal.wait_for(PROMPT)
    for turn in range(50):  # in the instant before the editor reads, too
        os.write(terminal.fd, b"not wanted\x03")
        terminal.wait_for(PROMPT)
        assert f"={turn}=" in terminal.type(b"echo =%d=\r" % turn, b"\n=%d=\r\n" % turn), turn
    assert terminal.leave() == 0
