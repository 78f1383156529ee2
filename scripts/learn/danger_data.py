"""What the network of nlu/danger learns from: reports and harmless sentences (danger/*.jsonl), turns of talks, which are harmless, and variations of all of them by program."""
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent / "danger"
EXAMPLES = HERE.parents[2] / "nlu/data/examples.jsonl"
CLASSES = ["none", "life", "fire", "gas", "injury", "crime", "lost_child", "quake", "suicide"]
HIRAGANA = str.maketrans({chr(c + 0x60): chr(c) for c in range(0x3041, 0x3097)})
KATAKANA = str.maketrans({chr(c): chr(c + 0x60) for c in range(0x3041, 0x3097)})
PARTICLES = "はがをにでも"
SMALL = ("the", "a", "an", "is", "are", "my", "to", "of", "he", "she")


def lines(name):
    return [l for l in (HERE / name).read_text().splitlines() if l and not l.startswith("#")]


def table(name):
    return [l.split("\t") for l in lines(name)]


VARIATIONS = {(kind, lang): values.split("|") for kind, lang, values in table("variations.tsv")}
SLOTS = {slot: values.split("|") for slot, values in (l.split("=", 1) for l in lines("slots.txt"))}
FRAMES = {}
for label, lang, frame in table("frames.tsv"):
    if label in CLASSES:
        FRAMES.setdefault((label, lang), []).append(frame)


def sentences(names):
    """Returns the sentences of files with their classes: an author each."""
    return [json.loads(l) for name in names for l in (HERE / (name + ".jsonl")).read_text().splitlines()]


def examples():
    """Returns the examples of intents (nlu/data/examples.jsonl) with their classes of danger; without injuries, which may be a matter of life."""
    out = []
    for l in EXAMPLES.read_text().splitlines():
        e = json.loads(l)
        intent, _, sort = e["label"].partition("/")
        label = {"earthquake": "quake"}.get(sort, sort) if intent == "safety" else "none"
        out += [{"say": e[lang], "class": label} for lang in ("ja", "en") if e.get(lang) and label != "injury"]
    return out


def turns(folders):
    """Returns what is said in talks, but for reports of danger."""
    found, reports = set(), lines("not-harmless.txt")

    def walk(value):
        if isinstance(value, dict):
            found.add(value.get("say") or "")
            for v in value.values():
                walk(v)
        elif isinstance(value, list):
            for v in value:
                walk(v)

    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.json*")):
            text = path.read_text()
            for part in text.splitlines() if path.suffix == ".jsonl" else [text]:
                walk(json.loads(part))
    return sorted(s for s in found if s and not any(r in s for r in reports))


def japanese(text):
    return any("\u3040" <= c <= "\u9fff" for c in text)


def varied(s, r):
    """Returns a sentence as it might be said, typed or heard otherwise."""
    ja = japanese(s)
    lang = "ja" if ja else "en"
    if ja and r.random() < 0.08:
        s = s.translate(r.choice((HIRAGANA, KATAKANA)))
    if r.random() < 0.15:
        if ja:
            s = "".join(c for c in s if not (c in PARTICLES and r.random() < 0.35))
        else:
            s = " ".join(w for w in s.split(" ") if not (w.lower() in SMALL and r.random() < 0.4))
    if r.random() < 0.08:
        for said, heard in (v.split("=") for v in VARIATIONS["misheard", lang]):
            if said in s and r.random() < 0.5:
                s = s.replace(said, heard, 1)
    if r.random() < 0.10 and len(s) > 6:
        i = r.randrange(len(s))
        s = s[:i] + s[i + 1:]
    x = r.random()
    if x < 0.12:
        s = r.choice(VARIATIONS["before", lang]) + s
    elif x < 0.24:
        s = s.rstrip("。.!?！？") + r.choice(VARIATIONS["behind", lang])
    if r.random() < 0.25:
        s = "".join(c for c in s if c not in "、。！？,.!?…")
    elif r.random() < 0.15:
        s = s.replace("、", " ").replace(",", " ")
    return s


def joined(a, b, r):
    """Returns two sentences as one utterance."""
    between = ["。", "、", " ", "？", "。あ、", "、あと、"] if japanese(a) else [". ", ",", "? ", " ", ", oh and ", ", and "]
    return a.rstrip("。.？?") + r.choice(between) + b


def framed(label, lang, r):
    """Returns a sentence made of a frame."""
    frame, out = r.choice(FRAMES[label, lang]), ""
    while "{" in frame:
        before, rest = frame.split("{", 1)
        slot, frame = rest.split("}", 1)
        out += before + r.choice(SLOTS[slot])
    return " ".join((out + frame).split())


def lesson(known, harmless, r, copies=2, again=0.5, easy=4000, frames=600):
    """Returns the examples of one round: each report as it is and varied, harmless sentences that sound like reports once, and some again, varied."""
    reports, near = [x for x in known if x["class"] != "none"], [x["say"] for x in known if x["class"] == "none"]
    out = []
    for x in reports:
        for copy in range(copies):
            s = varied(x["say"], r) if copy else x["say"]
            if r.random() < 0.12:
                other = next((o for o in r.choices(harmless, k=9) if japanese(o) == japanese(s)), s)
                s = joined(other, s, r) if r.random() < 0.75 else joined(s, other, r)
            out.append((s, CLASSES.index(x["class"])))
    out += [(s if r.random() < 0.5 else varied(s, r), 0) for s in near]
    out += [(varied(s, r), 0) for s in near if r.random() < again]
    for s in r.sample(harmless, min(easy, len(harmless))):
        if r.random() < 0.5:
            s = varied(s, r)
        elif r.random() < 0.25:
            s = joined(s, r.choice(near), r)
        out.append((s, 0))
    for _ in range(frames):
        label = "none" if r.random() < 0.55 else r.choice(CLASSES[1:])
        s = framed(label, r.choice(("ja", "en")), r)
        out.append((varied(s, r) if r.random() < 0.5 else s, CLASSES.index(label)))
    return out
