"""The part of a driver that all of them share: reads requests, and writes the answers."""

import json
import sys


class Unsupported(Exception):
    """The implementation does not have what is asked."""


def serve(about, operations):
    """Answers until the input ends. `operations` has a function from a request to an answer for each operation."""
    about = {"protocol": 1, "operations": ["about", *operations], "dialects": ["engine"], **about}
    for line in sys.stdin:
        if not line.strip():
            continue
        request = {}
        try:
            request = json.loads(line)
            operation = request.get("op")
            if operation == "about":
                reply = dict(about)
            elif operation not in operations:
                reply = {"unsupported": str(operation)}
            elif "src_base64" in request:
                reply = {"unsupported": "src_base64"}
            else:
                reply = operations[operation](request)
        except Unsupported as what:
            reply = {"unsupported": str(what)}
        except (ValueError, KeyError) as error:
            reply = {"bad_request": repr(error)}
        except RecursionError:
            reply = {"ok": False, "diags": [{"severity": "error", "summary": "the implementation recurses too deeply"}]}
        if "id" in request:
            reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)
