"""Asks annai, hears what it says, and prints how long each sentence took to be heard and how the mouth moves."""

import io
import json
import sys
import time
import urllib.request
import wave

base, questions = sys.argv[1], sys.argv[2:]
for question in questions:
    body = json.dumps({"query": question, "stream": True}).encode()
    request = urllib.request.Request(base + "/query", body, {"Content-Type": "application/json"})
    said = [json.loads(line[6:]) for line in urllib.request.urlopen(request) if line.startswith(b'data: {"i":')]
    for sentence in said:
        began = time.monotonic()
        answer = urllib.request.urlopen(base + sentence["audio"])
        sound = answer.read()
        took = time.monotonic() - began
        with wave.open(io.BytesIO(sound)) as w:
            seconds = w.getnframes() / w.getframerate()
        mouth = json.load(urllib.request.urlopen(base + sentence["audio"].replace(".wav", ".json")))["mouth"]
        whose = "spare" if answer.headers["Cache-Control"] == "no-store" else "wanted"
        ends = mouth[-1][0] / 1000 if mouth else 0
        print(f"{whose:6} {took * 1000:5.0f} ms for {seconds:5.2f} s, {len(mouth):3} shapes to {ends:5.2f} s  {sentence['text']}")
