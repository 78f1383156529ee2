"""What the reader learns from: turns of talks with what came before them, read from files and varied.

An Example is an utterance with its Context, as nlu/network has it, and a label for each head, or None where nobody said
one.
"""

import collections
import dataclasses
import glob
import json
import pathlib
import random
import re

ACTS = "asks adds changes answers orders doubts repeats translates reports greets thanks leaves chats".split()
ASKS = (
    "events when until_when where how_to_get how_much how_many how_long may_i is_there is_open need_i how_do_i who "
    "what_is which_language for_whom availability "
    "compare which still_on how_often contact next count date confirm repeat translate none"
).split()
HEADS = {
    "act": ACTS,
    "ask": ASKS,
    "second": ASKS,
    "ref": "named last earlier item none".split(),
    "when": "said kept none".split(),
    "about": "subject venue events date concierge staff visitor unknown none".split(),
    "not": ["no", "yes"],
}
KINDS = set(HEADS["about"]) - {"subject"}
LISTING = {"events", "which", "compare", "count", "is_there", "next"}  # asks whose answers list several things


@dataclasses.dataclass
class Context:
    said: str = ""
    ask: str = ""
    subject: str = ""
    earlier: str = ""
    view: tuple = ()
    spoken: tuple = ()  # keys of the subjects that were spoken of, the last one first
    shown: tuple = ()  # keys of those in view


@dataclasses.dataclass
class Example:
    say: str
    context: Context
    labels: dict
    first: bool = True
    place: str = ""
    lang: str = ""
    full: bool = False  # a turn as a sentence that stands by itself
    of: "Place" = None
    about: str = None  # as that of a turn; None where the subject's title was exchanged

    def at(self, place, turn):
        self.of, self.about = place, turn.about
        return self


@dataclasses.dataclass
class Turn:
    say: str
    full: str
    about: str  # a key of the place's titles, or one of KINDS
    labels: dict


@dataclasses.dataclass
class Place:
    name: str
    source: str
    titles: dict  # ja and en by key
    events: list  # keys
    talks: list  # of (language, turns)
    singles: list  # of (language, turn)
    texts: dict = dataclasses.field(default_factory=dict)  # Texts by key
    languages: dict = dataclasses.field(default_factory=dict)  # of passages that are there in another one too


@dataclasses.dataclass
class Text:
    """What is known of a subject, in one language."""

    title: str
    text: str
    lang: str
    kind: int  # in KIND


KIND = ("event", "passage")


def authored(path):
    """Returns a place in the format of scripts/learn/talks/README.md."""
    data = json.loads(pathlib.Path(path).read_text())
    titles = {s["id"]: (s.get("ja", ""), s.get("en", "")) for s in data["subjects"]}
    parts = data.get("venue", {}).get("parts", [])
    titles |= {p["id"]: (p["name"]["ja"], p["name"]["en"]) for p in parts}
    events = [s["id"] for s in data["subjects"] if s["kind"] == "event"]
    talks = [
        (t.get("lang", ""), [turn for u in t["turns"] if (turn := authored_turn(u, titles, path))])
        for t in data["talks"]
    ]
    texts = {}
    for s in data["subjects"]:
        kind = KIND.index("event" if s["kind"] == "event" else "passage")
        texts[s["id"]] = [Text(s[l], s["text"], l, kind) for l in ("ja", "en") if s.get(l)]
    for part in parts:
        texts[part["id"]] = [part_text(part, l) for l in ("ja", "en")]
    return Place(data["name"], str(path), titles, events, talks, [], texts)


def part_text(part, lang):
    """Returns a part of a venue as nodes/parts.go has it for what looks for it: all names, and what the venue file says."""
    of = lambda t: t.get(lang, "") if isinstance(t, dict) else t or ""
    names = [of(part["name"]), *part.get("aliases", {}).get(lang, [])]
    floor = part.get("floor", "")
    said = [("%s階" if lang == "ja" else "floor %s") % floor if floor else "", of(part.get("where")), of(part.get("description"))]
    for row in part.get("prices", []):
        amount = str(row["amount"])
        yen = amount if amount == "free" else amount + ("円" if lang == "ja" else " yen")
        said.append(" ".join(filter(None, [of(row.get("what")), of(row.get("for")), of(row.get("per")), yen])))
    if part.get("seats"):
        said.append(("%s席" if lang == "ja" else "%s seats") % part["seats"])
    said += [of(part.get("booking", {}).get("how")), of(part.get("for", {}).get("who"))]
    said += map(of, part.get("allows", []) + part.get("forbids", []))
    return Text(" ".join(names), " ".join(filter(None, said)), lang, KIND.index("passage"))


def authored_turn(u, titles, path):
    about = u.get("about", "none")
    if about not in titles and about not in KINDS:
        print("reader: %s: about %r is not of the place: %s" % (path, about, u["say"]))
        about = "unknown"
    labels = {
        "act": u.get("act"),
        "ask": u.get("ask"),
        "second": u.get("ask2") or "none",
        "ref": u.get("ref"),
        "when": u.get("when"),
        "about": "subject" if about in titles else about,
        "not": "yes" if u.get("not") else "no",
    }
    for head, label in labels.items():
        if label is not None and label not in HEADS[head]:
            print("reader: %s: %s %r is no label: %s" % (path, head, label, u["say"]))
            labels[head] = None
    return Turn(u["say"], u.get("full") or u["say"], about, labels)


def annotated(folder):
    """Returns a place whose turns have full, about, ask and kind; the other labels are derived where they can be."""
    folder = pathlib.Path(folder)
    titles, events, texts, languages = {}, [], {}, {}
    ics = (folder / "events.ics").read_text().replace("\r\n", "\n").replace("\n ", "")
    for event in ics.split("BEGIN:VEVENT")[1:]:
        title = ics_field(event, "SUMMARY")
        parts = title.split(" / ", 1)
        titles[title] = (
            (parts[0], parts[1])
            if len(parts) == 2
            else (title, "") if re.search("[\u3040-\u9fff]", title) else ("", title)
        )
        events.append(title)
        texts[title] = event_texts(titles[title], ics_field(event, "DESCRIPTION"), ics_field(event, "LOCATION"))
    for file in sorted(folder.glob("knowledge/*.md")):
        lang = re.search("^lang: *(ja|en)", file.read_text(), re.M)[1]
        for heading, text in re.findall(r"^## (.*)\n((?:(?!## ).*\n?)*)", file.read_text(), re.M):
            heading = heading.strip()
            titles.setdefault(heading, (heading, "") if lang == "ja" else ("", heading))
            texts.setdefault(heading, [Text(heading, " ".join(text.split()), lang, KIND.index("passage"))])
            languages[heading] = lang
    talks, singles = [], []
    for line in (folder / "talks.jsonl").read_text().splitlines():
        talk = json.loads(line)
        talks.append((talk.get("lang", ""), annotated_turns(talk["turns"], titles)))
    for line in (folder / "singles.jsonl").read_text().splitlines():
        u = json.loads(line)
        if "about" in u:
            singles.append((u.get("lang", ""), annotated_turns([{"full": u["say"], **u, "kind": "first"}], titles)[0]))
    return Place(folder.name, str(folder), titles, sorted(set(events)), talks, singles, texts, languages)


def ics_field(event, name):
    found = re.search("^%s[^:\n]*:(.*)$" % name, event, re.M)
    text = found[1] if found else ""
    return text.replace("\\n", "\n").replace("\\,", ",").replace("\\;", ";").replace("\\\\", "\\").strip()


def event_texts(titles, description, location):
    """Returns the texts of an event: a description may have a part in each language, a line or more each."""
    japanese = lambda text: bool(re.search("[\u3040-\u9fff]", text))
    lines, places = description.split("\n"), location.split(" / ")
    out = []
    for lang, title in zip(("ja", "en"), titles):
        own = [l for l in lines + places if japanese(l) == (lang == "ja")]
        if title:
            out.append(Text(title, " ".join(own or lines), lang, KIND.index("event")))
    return out


def annotated_turns(turns, titles):
    out, before = [], []
    for u in turns:
        about = u["about"] if u["about"] in titles or u["about"] in KINDS else "unknown"
        if u["ask"] == "events" and about == "date":
            about = "events"
        out.append(Turn(u["say"], u.get("full") or u["say"], about, derived(u, about, before, titles)))
        before.append(about)
    return out


DATES = re.compile(
    "今日|明日|あした|あさって|明後日|昨日|今週|来週|再来週|今月|来月|週末|曜|土日|今夜|今晩|午前|午後|"
    "[0-9一二三四五六七八九十]+(日(?!間)|月)|[0-9]+時|"
    r"\b(today|tomorrow|tonight|yesterday|this (week|month|weekend|evening|afternoon|morning)|next (week|month)|"
    r"(mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|"
    r"november|december|\d+(st|nd|rd|th)|\d+(:\d\d)? ?[ap]\.?m)\b",
    re.I,
)
DOUBTS = re.compile("ほんと|本当|まじ|really|sure|seriously", re.I)
THANKS = re.compile("ありがと|おおきに|どうも|サンキュー|助かり|thank|thx|cheers|ta\\b", re.I)
GREETS = re.compile(
    "^(こんにちは|おはよう|こんばんは|はじめまして|hello|hi\\b|hey|good (morning|afternoon|evening))", re.I
)
LEAVES = re.compile("バイバイ|ばいばい|さようなら|さよなら|またね|また来|失礼し|bye|see you|see ya", re.I)


def derived(u, about, before, titles):
    """Returns the labels of a turn of an annotated place; what cannot be told is None."""
    kind, ask, say = u.get("kind"), u["ask"], u["say"]
    labels = dict.fromkeys(HEADS)
    labels["ask"] = ask if ask in ASKS else None
    labels["about"] = "subject" if about in titles else about
    labels["about"] = None if kind == "unknown" else labels["about"]
    labels["second"] = "none" if kind not in ("both", None) else None
    labels["not"] = (
        "yes"
        if kind == "negation"
        else "no" if kind in ("first", "detail", "switch", "yesno", "social", "same_for_other") else None
    )
    labels["act"] = derived_act(u, kind, ask, say)
    if labels["act"] == "adds" and ask == "none":
        labels["ask"] = None
    labels["ref"] = derived_ref(about, before, kind, say, titles)
    said, full = bool(DATES.search(say)), bool(DATES.search(u.get("full", "")))
    labels["when"] = (
        "said" if said and full else "kept" if full and before else "none" if not said and not full else None
    )
    return labels


def derived_act(u, kind, ask, say):
    if kind == "social":
        for act, words in (("thanks", THANKS), ("leaves", LEAVES), ("greets", GREETS)):
            if words.search(say):
                return act if len(say) < 40 else None
        return None
    if ask in ("repeat", "translate"):
        return ask + "s"
    if kind == "correction":
        return "changes"
    if kind == "repeat" or ask == "none" or kind == "safety":
        return "adds" if kind == "followup" and ask == "none" else None
    if ask == "confirm":
        return "doubts" if DOUBTS.search(say) and len(say) < 25 else None
    if kind == "followup" and not re.search("[?？]", say):
        return None
    return "asks"


def named_in(say, title):
    """Reports whether an utterance shares a word with a title."""
    say, title = say.lower(), " ".join(title).lower()
    if any(w[:5] in say for w in re.findall("[a-z]{4,}", title)):
        return True
    return any(
        title[i : i + 2] in say
        for i in range(len(title) - 1)
        if re.fullmatch("[\u30a0-\u30ff\u4e00-\u9fff]{2}", title[i : i + 2])
    )


def derived_ref(about, before, kind, say, titles):
    if kind == "social" or about == "none":
        return "none" if kind == "social" else None
    if kind in ("first", "switch"):
        return "named"
    if kind == "ordinal":
        return "item"
    named = about in titles and named_in(say, titles[about])
    if named:
        return "named" if about not in before[-1:] else None
    if before and about == before[-1] and about in titles:
        return "last"
    if about in titles and about in before[:-1]:
        return "earlier"
    return None


def load(annotated_folder, learn_folder):
    """Returns all places."""
    places = (
        [annotated(f) for f in sorted(glob.glob(annotated_folder + "/*/")) if pathlib.Path(f, "talks.jsonl").exists()]
        if annotated_folder
        else []
    )
    for path in sorted(glob.glob(learn_folder + "/*/*.json")) if learn_folder else []:
        try:
            places.append(authored(path))
        except (KeyError, ValueError, TypeError) as problem:
            print("reader: %s left out: %r" % (path, problem))
    return places


def title(place, about, lang, rng):
    """Returns what a subject is called in a talk: in its language, in the other, or in both."""
    if about == "venue":
        return place.name if rng.random() < 0.5 and place.source.endswith(".json") else ""
    if about not in place.titles:
        return ""
    ja, en = place.titles[about]
    if ja and en:
        r = rng.random()
        return "%s / %s" % (ja, en) if r < 0.2 else (ja if (lang == "ja") == (r < 0.85) else en)
    return ja or en


def context(place, lang, turns, at, rng):
    """Returns what came before a turn."""
    if at == 0:
        return Context()
    said = turns[at - 1]
    ask = said.labels["ask"] or "none"
    earlier_asks = [t.labels["ask"] for t in turns[:at] if t.labels["ask"] not in (None, "none")]
    if ask == "none" and earlier_asks and rng.random() < 0.5:
        ask = earlier_asks[-1]
    seen = []
    for t in reversed(turns[:at]):
        if t.about not in ("none", "visitor", "concierge") and t.about not in seen:
            seen.append(t.about)
    if seen and seen[0] == "unknown" and rng.random() < 0.5:
        seen = seen[1:]
    subject = title(place, seen[0], lang, rng) if seen else ""
    earlier = next((title(place, a, lang, rng) for a in seen[1:] if a in place.titles), "")
    shown = view(place, turns, at, rng)
    names = tuple(t for t in (title(place, k, lang, rng) for k in shown) if t)[:4]
    return Context(said.say, ask, subject, earlier, names, tuple(seen), shown)


def view(place, turns, at, rng):
    """Returns keys of what the last answer may have listed: several where one is picked or several were asked for."""
    now, said = turns[at], turns[at - 1]
    picked = now.labels["ref"] == "item" and now.about in place.titles
    keys = []
    if said.labels["ask"] in LISTING or picked and rng.random() < 0.85 or rng.random() < 0.12:
        others = [
            k
            for k in (place.events if now.about in place.events or not picked else list(place.titles))
            if k != now.about
        ]
        keys = rng.sample(others, min(len(others), rng.randint(1, 3)))
        if picked or now.labels["ref"] == "named" and now.about in place.events and rng.random() < 0.6:
            keys.insert(rng.randint(0, len(keys)), now.about)
        elif said.about in place.titles and rng.random() < 0.7:
            keys = [said.about] + keys[: rng.randint(0, 3)]
    elif said.about in place.titles and rng.random() < 0.6:
        keys = [said.about]
    return tuple(dict.fromkeys(keys))[:4]


def examples(places, rng):
    """Returns the turns of places with their contexts, in order."""
    out = []
    for place in places:
        for lang, turns in place.talks:
            for at, turn in enumerate(turns):
                out.append(
                    Example(turn.say, context(place, lang, turns, at, rng), turn.labels, at == 0, place.source, lang)
                    .at(place, turn)
                )
        for lang, turn in place.singles:
            out.append(Example(turn.say, Context(), turn.labels, True, place.source, lang).at(place, turn))
    return out


FREE = ("named", "none")  # references that need nothing from before
ALONE = {"asks", "orders", "reports", "greets", "thanks", "leaves", "chats"}


def lesson(places, rng, plain=False):
    """Returns examples for one round of learning: every turn as it was said, many varied, and what it means in full."""
    out = []
    contexts = [e.context for e in examples(places, rng) if not e.first]
    names = collections.defaultdict(list)
    for place in places:
        for key, (ja, en) in place.titles.items():
            kind = key in place.events
            for lang, name in (("ja", ja), ("en", en)):
                if name:
                    names[lang, kind].append(name)
    for place in places:
        for lang, turns in place.talks:
            for at, turn in enumerate(turns):
                out += lessons_of(place, lang, turns, at, contexts, names, rng)
        for lang, turn in place.singles:
            e = Example(turn.say, Context(), turn.labels, True, place.source, lang).at(place, turn)
            out.append(varied(e, rng))
    return out


def lessons_of(place, lang, turns, at, contexts, names, rng):
    turn = turns[at]
    e = Example(turn.say, context(place, lang, turns, at, rng), turn.labels, at == 0, place.source, lang)
    e.at(place, turn)
    free = turn.labels["ref"] in FREE and turn.labels["act"] in ALONE and turn.labels["when"] in ("said", "none")
    if free and rng.random() < (0.5 if at == 0 else 0.3):
        e.context = strange(rng.choice(contexts)) if rng.random() < 0.75 else Context()
    elif at > 0 and rng.random() < 0.3:
        e.context = poorer(e.context, rng)
    if rng.random() < 0.3:
        e = with_other_title(e, place, turn, names, rng)
    out = [varied(e, rng)]
    if rare(turn) and rng.random() < 0.7:
        out.append(varied(dataclasses.replace(e, context=context(place, lang, turns, at, rng)), rng))
    if at + 1 < len(turns) and rng.random() < 0.25:
        out += two_at_once(e, turn, turns[at + 1], rng)
    if turn.full != turn.say and rng.random() < 0.5:
        out.append(in_full(place, lang, turn, contexts, rng))
    return out


def rare(turn):
    """Reports whether a turn is of a kind of which there are few."""
    l = turn.labels
    return (
        l["ref"] in ("earlier", "item")
        or l["not"] == "yes"
        or l["second"] not in (None, "none")
        or l["act"] in ("answers", "changes", "doubts", "orders", "reports")
    )


BETWEEN = {
    "ja": ["、", "。", "？あと", "。それと", "？ ", "、あと", "？ついでに"],
    "en": [" and ", ", and ", "? and ", "? also, ", ". oh and ", "? "],
}


def two_at_once(e, turn, after, rng):
    """Returns the example with the next question behind its own, where that is about the same."""
    asks = [t.labels["ask"] for t in (turn, after)]
    same = (
        after.labels["ref"] == "last"
        and after.about == turn.about
        and after.labels["second"] == "none" == turn.labels["second"]
    )
    japanese = [bool(re.search("[\u3040-\u9fff]", t.say)) for t in (turn, after)]
    if (
        not same
        or None in asks
        or "none" in asks
        or asks[0] == asks[1]
        or {turn.labels["act"], after.labels["act"]} != {"asks"}
        or japanese[0] != japanese[1]
    ):
        return []
    first = re.sub("[?？。.、!！ ]+$", "", e.say)
    return [
        dataclasses.replace(
            e,
            say=first + rng.choice(BETWEEN["ja" if japanese[0] else "en"]) + after.say,
            labels={**e.labels, "second": asks[1]},
        )
    ]


def in_full(place, lang, turn, contexts, rng):
    """Returns the sentence that says all of a turn, after another talk or none."""
    labels = dict(turn.labels)
    subject = labels["about"] not in (None, "none")
    labels["ref"] = "named" if subject else labels["ref"]
    said = bool(DATES.search(turn.full))
    labels["when"] = "said" if said else "none" if labels["when"] == "none" else None
    if labels["act"] in ("changes", "doubts"):  # a sentence in full neither corrects nor doubts
        labels["act"] = None
    if labels["act"] in ("adds", "answers"):
        labels["act"], labels["ask"] = None, None
    e = Example(
        turn.full,
        strange(rng.choice(contexts)) if rng.random() < 0.3 else Context(),
        labels,
        True,
        place.source,
        lang,
        True,
    )
    return varied(e.at(place, turn), rng)


def strange(c):
    """Returns the context of another place, where nothing that it speaks of is known."""
    return dataclasses.replace(c, spoken=(), shown=())


def poorer(c, rng):
    """Returns a context that lost something, as one that was read wrongly has."""
    c = dataclasses.replace(c)
    r = rng.random()
    if r < 0.25:
        c.earlier = ""
    elif r < 0.45:
        c.view = ()
    elif r < 0.6:
        c.subject = c.subject[: max(2, len(c.subject) // 2)]
    elif r < 0.75:
        c.said = c.said[-12:]
    elif r < 0.9:
        c.ask = rng.choice(ASKS)
    else:
        c.subject, c.earlier, c.spoken = c.earlier, c.subject, (*c.spoken[1:2], *c.spoken[:1])
    return c


def with_other_title(e, place, turn, names, rng):
    """Returns the example with another thing's title wherever the subject's stands."""
    if turn.about not in place.titles:
        return e
    swaps = []
    for lang, name in zip(("ja", "en"), place.titles[turn.about]):
        if name and len(name) > 2:
            swaps.append((name, rng.choice(names[lang, turn.about in place.events])))

    def swap(text):
        for old, new in swaps:
            text = text.replace(old, new)
        return text

    c = e.context
    return dataclasses.replace(
        e,
        say=swap(e.say),
        context=Context(swap(c.said), c.ask, swap(c.subject), swap(c.earlier), tuple(map(swap, c.view))),
        about=None,
    )


FILLERS = {
    "ja": [
        "えっと、",
        "あの、",
        "あのー",
        "えー",
        "すみません、",
        "すいません ",
        "ちょっと聞きたいんですけど、",
        "ねえ",
        "あ、",
        "うーん",
        "んー",
        "えっとですね、",
        "なあなあ、",
        "はい、",
        "じゃあ",
        "で、",
        "あと",
        "それと",
    ],
    "en": [
        "um ",
        "uh, ",
        "hi, ",
        "excuse me, ",
        "sorry, ",
        "so ",
        "ok ",
        "and ",
        "hey, ",
        "well, ",
        "ah, ",
        "oh, ",
        "hmm ",
        "please, ",
        "quick question: ",
        "hello, ",
        "right, ",
    ],
}
ENDINGS = {
    "ja": ["", "？", "。", "、", "ー", "〜", "…", "っと", "かな"],
    "en": ["", "?", ".", "...", " please", " thanks", "?", "??"],
}
PARTICLES = re.compile("(?<=[\u3040-\u9fff])[はがをってにの](?=[\u30a0-\u30ff\u4e00-\u9fff])")
PUNCTUATION = re.compile("[、。，．,.!！?？…~〜「」\"'()（）]")


def varied(e, rng):
    """Returns the example as somebody else, or a recogniser, might have said it."""
    if rng.random() < 0.4:
        return e
    japanese = bool(re.search("[\u3040-\u9fff]", e.say))
    say, lang = e.say, "ja" if japanese else "en"
    if rng.random() < 0.35:
        say = PUNCTUATION.sub("" if japanese else " ", say).strip() or say
    elif rng.random() < 0.25:
        say = say.rstrip("？?。.!！ ") + rng.choice(ENDINGS[lang][:6])
    if rng.random() < 0.2 and e.labels["act"] in (None, "asks", "orders", "reports"):
        say = rng.choice(FILLERS[lang]) + say
    if japanese and rng.random() < 0.25:
        say = PARTICLES.sub(lambda m: "" if rng.random() < 0.5 else m[0], say)
    if japanese and rng.random() < 0.12:
        say = "".join(chr(ord(c) - 0x60) if "\u30a1" <= c <= "\u30f3" else c for c in say)
    if rng.random() < 0.12 and len(say) > 6:
        say = mistaken(say, japanese, rng)
    return dataclasses.replace(e, say=say or e.say)


def mistaken(say, japanese, rng):
    """Returns text with one or two characters lost, doubled or exchanged."""
    chars = list(say)
    for _ in range(1 if len(chars) < 16 else 2):
        i = rng.randrange(len(chars) - 1)
        r = rng.random()
        if r < 0.4:
            del chars[i]
        elif r < 0.6 and not japanese:
            chars[i], chars[i + 1] = chars[i + 1], chars[i]
        elif r < 0.75:
            chars.insert(i, chars[i])
        else:
            chars[i] = rng.choice("いうえおかきくしたちつとなにのはまみもりるん" if japanese else "abcdeghilmnoprstuvy")
    return "".join(chars)
