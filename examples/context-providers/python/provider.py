"""Customer data as a provider of context-provider.v1: the standard library, and nothing else.

    PROVIDER_TOKEN=a-secret-of-mine python3 provider.py 8787
"""

import hmac
import json
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTRACT = "context-provider.v1"
VERSION = "1.0.0"
TOKEN = os.environ.get("PROVIDER_TOKEN") or sys.exit("PROVIDER_TOKEN is not set")
MAX_BODY_BYTES = 16_384
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}")

CUSTOMERS = {
    "CUST-1042": {
        "id": "CUST-1042",
        "title": "Current account state",
        "content": "On the Enterprise plan since May; pays by invoice.",
        "metadata": {"plan": "Enterprise"},
        "updatedAt": "2026-10-08",
    }
}


def answer(request):
    """The status and the body for a request that carries the token."""
    if not isinstance(request, dict) or request.get("contract") != CONTRACT:
        return 400, {"error": "not a request of " + CONTRACT}
    if request.get("capability") == "describe":
        return 200, {"contract": CONTRACT, "version": VERSION, "capabilities": ["describe", "lookup"]}
    key, value, limit = request.get("key"), request.get("value"), request.get("limit")
    is_lookup = (
        request.get("capability") == "lookup"
        and isinstance(key, str) and KEY.fullmatch(key)
        and isinstance(value, str) and VALUE.fullmatch(value)
        and isinstance(limit, int) and 1 <= limit <= 100
    )
    if not is_lookup:
        return 400, {"error": "not a lookup"}
    customer = CUSTOMERS.get(value)
    if customer is None:
        return 404, {"error": "no record"}
    head = {"contract": CONTRACT, "version": VERSION, "revision": "crm-r9", "currentness": "CURRENT"}
    return 200, {**head, "items": [customer][:limit]}


class Provider(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        given = self.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {TOKEN}".encode()):
            return self.send(401, {"error": "the bearer token is missing or wrong"})
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_BYTES:
            return self.send(413, {"error": "the body is too large"})
        try:
            request = json.loads(self.rfile.read(length))
        except ValueError:
            return self.send(400, {"error": "the body is no JSON"})
        return self.send(*answer(request))

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status in (401, 413):
            # The body was not read: it must not be taken for the next request.
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """A log would hold nothing of interest but lookup values, which are not to be kept."""


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8787), Provider)
print(f"http://127.0.0.1:{server.server_port}/context", flush=True)
server.serve_forever()
