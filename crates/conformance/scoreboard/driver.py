"""A running driver of the conformance protocol."""

import json
import queue
import subprocess
import threading
import time


class Died(Exception):
    """It ended, or gave no answer in time."""


class Driver:
    def __init__(self, command):
        pipe, none = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def ask(self, line, patience):
        """The answer to a line, as bytes, and the seconds from the first byte of the one to the last of the other."""
        start = time.perf_counter()
        # A driver that does not read must not stop the one who asks.
        writer = threading.Thread(target=self._write, args=(line,), daemon=True)
        writer.start()
        try:
            answer = self.lines.get(timeout=patience)
        except queue.Empty:
            raise Died("no answer in time") from None
        seconds = time.perf_counter() - start
        if answer is None:
            raise Died("it ended")
        return answer, seconds

    def _write(self, line):
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except OSError:
            pass  # It ended: there is no answer.

    def peak(self):
        """The most memory that it had so far, in bytes; nothing where the system does not say."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                for line in status:
                    if line.startswith("VmHWM:"):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return None

    def end(self):
        self.process.kill()
        self.process.wait()


def question(**request):
    """A request, as the line that is written."""
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"
