"""A proxy before a service, which can be told to refuse its stream of changes, as proxies do while the service restarts, or
to send on an id of another run, as if the service had restarted."""
import http.server
import socket
import threading
import urllib.error
import urllib.request

STREAM = "/v1/changes"
SENT_ON = ["Accept", "Authorization", "Last-Event-ID"]
GIVEN_BACK = ["Content-Type", "Content-Security-Policy", "Cache-Control", "Vary"]


class Middleman:
    """Hands on whatever is read; `refusals` counts the streams that were refused."""

    def __init__(self, address):
        self.refuses, self.garbles, self.refusals, self.streams = False, False, 0, []
        middleman = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_stream = self.path == STREAM
                if is_stream and middleman.refuses:
                    middleman.refusals += 1
                    return self.send_error(502)
                fields = {name: self.headers[name] for name in SENT_ON if name in self.headers}
                if middleman.garbles and "Last-Event-ID" in fields:
                    fields["Last-Event-ID"] = "0badcafe-1"
                try:
                    answer = urllib.request.urlopen(urllib.request.Request(address + self.path, None, fields), timeout=60)
                except urllib.error.HTTPError as error:
                    answer = error
                with answer:
                    self.send_response(answer.status)
                    for name in GIVEN_BACK:
                        if name in answer.headers:
                            self.send_header(name, answer.headers[name])
                    self.end_headers()
                    if is_stream:
                        middleman.streams.append(self.connection)
                    try:
                        while piece := answer.read1(65536):
                            self.wfile.write(piece)
                            self.wfile.flush()
                    except OSError:
                        pass  # The browser went, or was cut off.

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads, self.server.block_on_close = True, False
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def cut(self):
        """Ends the streams that there are."""
        while self.streams:
            try:
                self.streams.pop().shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It has ended already.

    def close(self):
        self.cut()
        self.server.shutdown()
        self.server.server_close()
