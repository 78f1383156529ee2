"""Asks LangGraph's own server and ours the same, and prints every difference.

python compare.py REFERENCE OURS KNOWN

The first two are addresses. KNOWN has a line for each difference that is meant: a pattern of the line that is printed,
a tab and the reason. The exit is 1 if there is a difference without a reason, or a reason without a difference.
"""

import fnmatch
import json
import re
import sys
import uuid

import httpx

ALL_MODES = ["values", "updates", "messages", "messages-tuple", "custom", "tasks", "checkpoints", "debug", "events"]


class Server:
    def __init__(self, url):
        self.http = httpx.Client(base_url=url, timeout=60)

    def ask(self, method, path, body=None):
        """Returns the status and what came: JSON, a list of events, or text."""
        with self.http.stream(method, path, json=body) as answer:
            kind = answer.headers.get("content-type", "").split(";")[0]
            if kind == "text/event-stream":
                return answer.status_code, events(answer.iter_lines())
            text = answer.read().decode()
        if kind == "application/json" and text.strip():
            return answer.status_code, json.loads(text)
        return answer.status_code, text if kind == "text/plain" else f"<{kind}>"


def events(lines):
    """Reads server-sent events up to the end of the stream, or that of the first run of the newer protocol."""
    out, name, data = [], "", ""
    for line in lines:
        if line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].strip()
        elif not line and (name or data):
            said = json.loads(data) if data else None
            out.append((name, said))
            if name == "lifecycle" and not said["params"]["namespace"] and said["params"]["data"]["event"] in (
                "completed", "failed", "interrupted"):
                return out
            name, data = "", ""
    return out


HEX = re.compile(r"(?:lc_run--)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}")
TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
IDS = {"id", "event_id", "run_id", "parent_run_id", "langgraph_auth_user_id"}


def plain(value, name=""):
    """Takes out of a value what is never the same twice."""
    if isinstance(value, dict):
        return {HEX.sub("<id>", plain_id(k)): plain(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v, name) for v in value]
    if isinstance(value, str):
        if TIME.match(value):
            return "<time>"
        if (name in IDS or name.endswith("checkpoint_id")) and value and not value.startswith("call_"):
            return "<id>"
        return HEX.sub("<id>", plain_id(value))
    if isinstance(value, int | float) and name in ("timestamp", "seq"):
        return 0
    return value


def plain_id(text):
    """An id of ours stands behind a colon, or is a key by itself."""
    return re.sub(r"(?<=:)[A-Za-z0-9_-]{16,}|^[A-Z2-7]{26}$", "<id>", text)


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 120 else text[:117] + "..."


def compare(where, theirs, ours):
    """Yields each difference once, whichever entry of a list has it."""
    yield from dict.fromkeys(walk(where + " ", plain(theirs), plain(ours)))


def walk(path, theirs, ours):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for k in sorted(theirs.keys() | ours.keys()):
            if k not in ours:
                yield f"{path}.{k}: missing, {short(theirs[k])}"
            elif k not in theirs:
                yield f"{path}.{k}: more, {short(ours[k])}"
            else:
                yield from walk(f"{path}.{k}", theirs[k], ours[k])
    elif isinstance(theirs, list) and isinstance(ours, list):
        if len(theirs) != len(ours):
            yield f"{path}[]: {len(ours)} of them, {short(ours)}, there {len(theirs)}, {short(theirs)}"
        for a, b in zip(theirs, ours):
            yield from walk(path + "[]", a, b)
    elif theirs != ours:
        yield f"{path}: {short(ours)}, there {short(theirs)}"


def compare_events(where, theirs, ours):
    """Events are compared kind by kind, each by its place among those of its kind; then their order."""
    def label(event):
        name, data = event
        name = plain_id(HEX.sub("<id>", name))
        if name == "events":
            return f"events/{data['event']}/{data['name']}"
        if name == "debug" or name.startswith("debug|"):
            return f"{name}/{data['type']}"
        if isinstance(data, dict) and data.get("type") == "event":
            inner = data["params"].get("data")
            what = inner.get("event") if isinstance(inner, dict) else None
            name = "/".join([data["method"], *([what] if what else []), *data["params"].get("namespace", [])])
            return plain_id(HEX.sub("<id>", name))
        return name

    def kinds(list):
        out = {}
        for e in list:
            out.setdefault(label(e), []).append(e[1])
        return out

    a, b = kinds(theirs), kinds(ours)
    for kind in sorted(a.keys() | b.keys()):
        if len(a.get(kind, [])) != len(b.get(kind, [])):
            yield f"{where} <{kind}>: {len(b.get(kind, []))} of them, there {len(a.get(kind, []))}"
            continue
        seen = set()
        for i, (x, y) in enumerate(zip(a[kind], b[kind], strict=True)):
            for line in compare(f"{where} <{kind}>", x, y):
                if line not in seen:
                    yield line
                seen.add(line)
    shared = {k for k in a if len(a[k]) == len(b.get(k, []))}
    orders = [[label(e) for e in l if label(e) in shared] for l in (theirs, ours)]
    if orders[0] != orders[1]:
        yield f"{where} order: {short(orders[1])}, there {short(orders[0])}"


def scenarios():
    """Yields (name, steps); a step is (name, method, path, body, what to keep of the answer)."""
    def run(graph, **more):
        return {"assistant_id": graph, **more}

    said = {"messages": [{"role": "human", "content": "hello", "id": "m1"}]}
    state = ("state", "GET", "/threads/{t}/state")
    history = ("history", "GET", "/threads/{t}/history?limit=10")
    thread = ("thread", "GET", "/threads/{t}")
    inputs = {
        "echo": said, "outer": {"word": "one"}, "spread": {"texts": ["ab", "cd", "ef"]}, "fail": {"word": "x"},
        "agent": said, "ask": {"topic": "go"}, "careful": said,
    }
    for name, value in inputs.items():
        make = ("make", "POST", "/threads", {"thread_id": "{t}"})
        body = run(name, input=value, stream_mode=ALL_MODES)
        yield name, [
            make, ("stream", "POST", "/threads/{t}/runs/stream", body), state, history, thread,
            ("runs", "GET", "/threads/{t}/runs"),
        ]
        yield f"{name} values", [make, ("wait", "POST", "/threads/{t}/runs/wait", run(name, input=value))]
        for mode in ALL_MODES[2:4] + ["tools"]:
            yield f"{name} {mode}", [make, ("stream", "POST", "/threads/{t}/runs/stream", run(name, input=value, stream_mode=mode))]
    yield "subgraphs", [
        ("make", "POST", "/threads", {"thread_id": "{t}"}),
        ("stream", "POST", "/threads/{t}/runs/stream",
            run("outer", input={"word": "one"}, stream_mode=ALL_MODES, stream_subgraphs=True)),
        ("state", "GET", "/threads/{t}/state?subgraphs=true"),
    ]
    for graph, answers in {
        "ask": [("wrong", "please"), ("right", True), ("again", True)],
        "careful": [("wrong", 7), ("right", {"decisions": [{"type": "approve"}]})],
    }.items():
        steps = [
            ("make", "POST", "/threads", {"thread_id": "{t}"}),
            ("first", "POST", "/threads/{t}/runs/wait", run(graph, input=inputs[graph])), state, thread,
        ]
        for name, answer in answers:
            steps.append((name, "POST", "/threads/{t}/runs/wait", run(graph, command={"resume": answer})))
            steps.append((f"{name} {state[0]}", *state[1:]))
        yield f"{graph} answered", steps
    yield "fork", [
        ("make", "POST", "/threads", {"thread_id": "{t}"}),
        ("one", "POST", "/threads/{t}/runs/wait", run("outer", input={"word": "one"})),
        ("update", "POST", "/threads/{t}/state", {"values": {"word": "two"}, "as_node": "first"}),
        state,
        ("go on", "POST", "/threads/{t}/runs/wait", run("outer", input=None)),
        history,
        ("copy", "POST", "/threads/{t}/state", {"values": None, "as_node": "__copy__"}),
        ("end", "POST", "/threads/{t}/state", {"values": None, "as_node": "__end__"}), state,
        ("metadata", "PATCH", "/threads/{t}", {"metadata": {"of": "me"}}),
        ("limit", "POST", "/threads/{t}/history", {"limit": 2}),
        ("copied", "POST", "/threads/{t}/copy", None),
        ("gone", "DELETE", "/threads/{t}", None), ("gone state", "GET", "/threads/{t}/state"),
    ]
    yield "protocol", [
        ("make", "POST", "/threads", {"thread_id": "{t}"}),
        ("start", "POST", "/threads/{t}/commands",
            {"id": 1, "method": "run.start", "params": run("agent", input=said)}),
        ("stream", "POST", "/threads/{t}/stream/events",
            {"channels": ["values", "updates", "messages", "tools", "lifecycle", "input", "checkpoints", "tasks", "custom"]}),
        ("get", "POST", "/threads/{t}/commands", {"id": 2, "method": "state.get", "params": {"namespace": []}}),
        ("none", "POST", "/threads/{t}/commands", {"id": 3, "method": "no.such"}),
    ]
    yield "wrong", [
        ("no thread", "GET", "/threads/{t}"),
        ("bad thread", "GET", "/threads/nonsense"),
        ("no assistant", "POST", "/runs/wait", run("nobody", input={})),
        ("no body", "POST", "/runs/wait", {}),
        ("bad mode", "POST", "/runs/stream", run("echo", input=said, stream_mode="nonsense")),
        ("bad strategy", "POST", "/runs/wait", run("echo", input=said, multitask_strategy="nonsense")),
        ("bad durability", "POST", "/runs/wait", run("echo", input=said, durability="nonsense")),
        ("both", "POST", "/runs/wait", run("echo", input=said, command={"resume": 1})),
        ("no thread to run", "POST", "/threads/{t}/runs/wait", run("echo", input=said)),
        ("made by the run", "POST", "/threads/{t}/runs/wait", run("echo", input=said, if_not_exists="create")),
        ("made twice", "POST", "/threads", {"thread_id": "{t}"}),
        ("made anyway", "POST", "/threads", {"thread_id": "{t}", "if_exists": "do_nothing"}),
        ("null input", "POST", "/runs/wait", run("outer", input=None)),
        ("recursion", "POST", "/runs/wait", run("outer", input={"word": "x"}, config={"recursion_limit": 1})),
        ("no node", "POST", "/threads/{t}/state", {"values": {}, "as_node": "nobody"}),
        ("no run", "GET", "/threads/{t}/runs/{t}"), ("no cron", "GET", "/runs/crons/{t}"),
        ("before", "POST", "/runs/wait", run("outer", input={"word": "x"}, interrupt_before=["nobody"])),
    ]
    yield "assistants", [
        ("search", "POST", "/assistants/search", {"graph_id": "outer"}, "assistant_id"),
        ("graph", "GET", "/assistants/{assistant_id}/graph"),
        ("graph inside", "GET", "/assistants/{assistant_id}/graph?xray=true"),
        ("schemas", "GET", "/assistants/{assistant_id}/schemas"),
        ("subgraphs", "GET", "/assistants/{assistant_id}/subgraphs"),
        ("make", "POST", "/assistants", {"graph_id": "echo", "assistant_id": "{t}", "name": "mine", "metadata": {"a": 1},
            "context": {"who": "me"}}),
        ("change", "PATCH", "/assistants/{t}", {"name": "yours"}),
        ("versions", "POST", "/assistants/{t}/versions", {}),
        ("latest", "POST", "/assistants/{t}/latest", {"version": 1}),
        ("count", "POST", "/assistants/count", {"graph_id": "echo"}),
        ("select", "POST", "/assistants/search", {"graph_id": "echo", "select": ["name"], "sort_by": "name"}),
        ("gone", "DELETE", "/assistants/{t}"), ("gone again", "DELETE", "/assistants/{t}"),
    ]
    yield "store", [
        ("put", "PUT", "/store/items", {"namespace": ["{t}", "a"], "key": "k", "value": {"n": 1}}),
        ("get", "GET", "/store/items?namespace={t}.a&key=k"),
        ("search", "POST", "/store/items/search", {"namespace_prefix": ["{t}"]}),
        ("filter", "POST", "/store/items/search", {"namespace_prefix": ["{t}"], "filter": {"n": {"$gt": 0}}}),
        ("namespaces", "POST", "/store/namespaces", {"prefix": ["{t}"]}),
        ("delete", "DELETE", "/store/items", {"namespace": ["{t}", "a"], "key": "k"}),
        ("none", "GET", "/store/items?namespace={t}.a&key=k"),
        ("wrong", "PUT", "/store/items", {"namespace": ["a.b"], "key": "k", "value": {}}),
        ("no key", "PUT", "/store/items", {"namespace": ["a"], "value": {}}),
    ]
    yield "crons", [
        ("make", "POST", "/runs/crons", {"assistant_id": "echo", "schedule": "0 0 1 1 *", "input": said}, "cron_id"),
        ("get", "GET", "/runs/crons/{cron_id}"),
        ("search", "POST", "/runs/crons/search", {}),
        ("count", "POST", "/runs/crons/count", {}),
        ("change", "PATCH", "/runs/crons/{cron_id}", {"schedule": "0 0 2 1 *"}),
        ("delete", "DELETE", "/runs/crons/{cron_id}"), ("gone", "GET", "/runs/crons/{cron_id}"),
        ("wrong", "POST", "/runs/crons", {"assistant_id": "echo", "schedule": "never"}),
    ]
    yield "runs", [
        ("make", "POST", "/threads", {"thread_id": "{t}", "metadata": {"m": "{t}"}}),
        ("run", "POST", "/threads/{t}/runs", run("echo", input=said, metadata={"a": "b"}), "run_id"),
        ("join", "GET", "/threads/{t}/runs/{run_id}/join"),
        ("get", "GET", "/threads/{t}/runs/{run_id}"),
        ("list", "GET", "/threads/{t}/runs?limit=1"),
        ("cancel", "POST", "/threads/{t}/runs/{run_id}/cancel?wait=true"),
        ("stream", "GET", "/threads/{t}/runs/{run_id}/stream"),
        ("search", "POST", "/threads/search", {"metadata": {"m": "{t}"}}),
        ("extract", "POST", "/threads/search", {"metadata": {"m": "{t}"}, "extract": {"last": "values.messages[-1].content"},
            "select": ["thread_id"]}),
        ("threads", "POST", "/threads/count", {"metadata": {"m": "{t}"}}),
        ("exit", "POST", "/threads/{t}/runs/wait", run("outer", input={"word": "x"}, durability="exit")),
        ("batch", "POST", "/runs/batch", [run("echo", input=said)]),
        ("delete", "DELETE", "/threads/{t}/runs/{run_id}"), ("gone", "GET", "/threads/{t}/runs/{run_id}"),
        ("prune", "POST", "/threads/prune", {"thread_ids": ["{t}"], "strategy": "keep_latest"}),
    ]
    yield "plain", [
        ("make", "POST", "/threads", {"thread_id": "{t}"}), ("storage", "GET", "/threads/{t}/storage"),
        ("ok", "GET", "/ok"), ("info", "GET", "/info"), ("docs", "GET", "/docs"),
        
    ]


def fill(value, names):
    if isinstance(value, str):
        for name, to in names.items():
            value = value.replace("{" + name + "}", to)
        return value
    if isinstance(value, dict):
        return {k: fill(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [fill(v, names) for v in value]
    return value


def differences(servers):
    for scenario, steps in scenarios():
        names = [{"t": str(uuid.uuid4())}, None]
        names[1] = dict(names[0])
        for name, method, path, *rest in steps:
            body, keep = (*rest, None, None)[:2]
            got = []
            for server, own in zip(servers, names, strict=True):
                try:
                    status, answer = server.ask(method, fill(path, own), fill(body, own))
                except httpx.ConnectError as e:
                    sys.exit(f"{server.http.base_url} does not answer: {e}")
                except httpx.HTTPError as e:
                    status, answer = 0, repr(e)
                if keep:
                    one = answer[0] if isinstance(answer, list) and answer else answer
                    own[keep] = str(one.get(keep)) if isinstance(one, dict) else "none"
                got.append((status, answer))
            where = f"{scenario} / {name}"
            (status_there, there), (status, here) = got
            if status != status_there:
                yield f"{where} status: {status} {short(plain(here))}, there {status_there} {short(plain(there))}"
            elif status >= 400:
                pass  # the words of errors are our own
            elif isinstance(there, list) and there and isinstance(there[0], tuple):
                yield from compare_events(where, there, here)
            else:
                yield from compare(where, there, here)


def main():
    reference, ours, known = sys.argv[1:]
    reasons = {}
    for line in open(known):
        if line.strip() and not line.startswith("#"):
            pattern, _, reason = line.rstrip("\n").partition("\t")
            if not reason.strip():
                sys.exit(f"{known}: no reason in {line!r}")
            reasons[pattern] = reason.strip()
    found, used, unexplained = 0, set(), 0
    for line in differences([Server(reference), Server(ours)]):
        found += 1
        matching = [p for p in reasons if fnmatch.fnmatchcase(line, p.replace("[", "[[]"))]
        used.update(matching)
        if not matching:
            unexplained += 1
            print(line)
    stale = [p for p in reasons if p not in used]
    for p in stale:
        print(f"no such difference any more: {p}")
    print(f"{found} differences, {unexplained} without a reason, {len(stale)} reasons without a difference")
    sys.exit(1 if unexplained or stale else 0)


if __name__ == "__main__":
    main()
