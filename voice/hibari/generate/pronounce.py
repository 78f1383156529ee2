"""Writes how hibari-tts pronounces sentences, one a line, for the tests of package hibari. Run by scripts/voice-en.

    pronounce.py SENTENCES FILE
"""
import sys

from hibari.g2p import G2P

read = G2P()
with open(sys.argv[1], encoding="utf-8") as f, open(sys.argv[2], "w", encoding="utf-8") as out:
    for line in f:
        sentence = line.rstrip("\n")
        out.write(f"{sentence}\t{read(sentence)}\n")
