#!/usr/bin/env python3
"""Times language servers beside each other, over standard input and output, as an editor does.

    python3 crates/benches/editor.py 'target/release/hcl lsp' 'terraform-ls serve'

Makes a folder with one Terraform file, of 20 KB and then of 1 MB, types and removes a letter at its end, and asks after each
edit; for a hover, about the first argument `type`, which each server knows. FILE=FOLDER/NAME takes a copy of the folder
instead, and edits that file. Prints the median and the 99th percentile in milliseconds, and the memory of the server's
process. EDITS sets the number of edits. Needs Linux for the memory.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from queue import Empty, Queue

EDITS = int(os.environ.get("EDITS", "60"))
METHODS = ["completion", "hover", "semanticTokens/full", "documentSymbol"]
# A server that does not answer for so long is not waited for.
PATIENCE = 120


class Server:
    def __init__(self, command, root):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages, self.number = Queue(), 0
        threading.Thread(target=self.read, daemon=True).start()
        capabilities = {
            "textDocument": {
                "publishDiagnostics": {"versionSupport": True},
                "documentSymbol": {
                    "hierarchicalDocumentSymbolSupport": True,
                    "symbolKind": {"valueSet": list(range(1, 27))},
                },
                "semanticTokens": {
                    "requests": {"full": True},
                    "tokenTypes": ["variable", "property", "string", "keyword", "number", "type", "function"],
                    "tokenModifiers": [],
                    "formats": ["relative"],
                },
            }
        }
        uri = "file://" + root
        self.ask("initialize", {
            "processId": os.getpid(), "rootUri": uri, "capabilities": capabilities,
            "workspaceFolders": [{"uri": uri, "name": "root"}],
        })
        self.tell("initialized", {})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def read(self):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            if length == 0:
                return
            message = json.loads(self.process.stdout.read(length))
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})
            else:
                self.messages.put((time.perf_counter(), message))

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def wait(self, fits):
        while True:
            try:
                at, message = self.messages.get(timeout=PATIENCE)
            except Empty:
                sys.exit("the server does not answer")
            if fits(message):
                return at, message

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        at, message = self.wait(lambda message: message.get("id") == number)
        return at, message.get("result"), message.get("error")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status if ":" in line)
        return " ".join(f"{name} {int(lines[name].split()[0]) // 1024} MB" for name in ("VmRSS", "VmHWM"))


# What is typed comes after this.
END = "\nlocals {\n  last = var.\n}\n"


def text(size):
    """Blocks as real files have them."""
    out, number = 'locals {\n  first = "a"\n}\n', 0
    while len(out) < size:
        out += (
            f'\nvariable "name_{number}" {{\n  type        = string\n  default     = "value {number}"\n'
            f'  description = "One of many."\n}}\n\nresource "aws_instance" "web_{number}" {{\n'
            f'  ami           = var.name_{number}\n  instance_type = "t3.micro"\n  tags = {{\n'
            f'    Name = "web-${{var.name_{number}}}-${{local.first}}"\n  }}\n}}\n'
        )
        number += 1
    return out + END


def shown(times):
    times = sorted(times)
    at = lambda share: times[int((len(times) - 1) * share)] * 1e3
    return f"{at(0.5):9.1f} {at(0.99):9.1f}"


def measure(command, content, name="main.tf", folder=None):
    with tempfile.TemporaryDirectory() as root:
        root = os.path.join(root, "work")
        shutil.copytree(folder, root) if folder else os.mkdir(root)
        path = os.path.join(root, name)
        with open(path, "w") as file:
            file.write(content)
        server, uri = Server(command, root), "file://" + path
        server.tell("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": "terraform", "version": 0, "text": content}
        })
        lines = content.split("\n")
        line = len(lines) - 3
        column, version = len(lines[line]), 0

        def edit():
            nonlocal version
            version += 1
            typed = version % 2 == 1
            start, end, letters = (column, column, "n") if typed else (column, column + 1, "")
            span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
            server.tell("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": span, "text": letters}],
            })
            return {"line": line, "character": start + len(letters)}

        before = content[: content.index(" type ") + 2].split("\n")
        known = {"line": len(before) - 1, "character": len(before[-1])}
        # The first answer waits until the folder is read.
        server.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        print(f"  a file of {len(content)} bytes")
        for method in METHODS:
            times, failures, empty = [], 0, 0
            for _ in range(EDITS):
                start = time.perf_counter()
                place = edit()
                place = known if method == "hover" else place
                at, result, error = server.ask("textDocument/" + method, {"textDocument": {"uri": uri}, "position": place})
                times.append(at - start)
                failures += error is not None
                empty += not result
            print(f"    {method:22}{shown(times)}" + (f"   {failures} errors" if failures else "")
                  + (f"   {empty} without an answer" if empty else ""), flush=True)
        times = []
        for _ in range(EDITS):
            # What is left of former edits.
            time.sleep(0.05)
            while not server.messages.empty():
                server.messages.get()
            start = time.perf_counter()
            edit()
            at, _ = server.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")
            times.append(at - start)
        print(f"    {'diagnostics':22}{shown(times)}\n    {server.memory()}", flush=True)
        server.process.kill()


def main():
    for command in sys.argv[1:] or sys.exit(__doc__):
        print(f"{command}: median and 99th percentile in ms of {EDITS} edits")
        if path := os.environ.get("FILE"):
            with open(path) as file:
                measure(command, file.read() + END, os.path.basename(path), os.path.dirname(path))
            continue
        for size in (20_000, 1_000_000):
            measure(command, text(size))


main()
