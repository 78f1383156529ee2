"""Uses the programs in examples by LangGraph's client for Python, as examples.mjs does by that for JavaScript, and prints what came of
it as JSON. The process of the support agent is killed between the two steps.

python examples.py ask|answer|summarise URL [THREAD]
"""

import asyncio
import json
import sys

from langgraph_sdk import get_client


async def stream(c, thread, **parameters):
    """Runs the agent and returns the kinds of events, and the text that was streamed."""
    kinds, text = set(), ""
    async for part in c.runs.stream(thread, "support", stream_mode=["updates", "messages-tuple"], **parameters):
        kinds.add(part.event)
        if part.event == "messages" and part.data[0]["type"].startswith("AI"):
            text += part.data[0]["content"]
    return [" ".join(sorted(kinds)), text]


def about(interrupt):
    return interrupt["value"]["action_requests"][0]["args"]["order"]


def questions(state):
    return sorted((i for task in state["tasks"] for i in task["interrupts"]), key=about)


def last(state):
    messages = state["values"].get("messages")
    return messages[-1]["content"] if messages else None


async def ask(c):
    [found] = await c.assistants.search(graph_id="support")
    thread = (await c.threads.create())["thread_id"]
    said = {"role": "user", "content": "A-7 and A-8 came broken."}
    streamed = await stream(c, thread, input={"messages": [said]})
    open_ = questions(await c.threads.get_state(thread))
    return {
        "found": found["name"],
        "thread": thread,
        "streamed": streamed,
        "asked": [about(i) for i in open_],
        "answers": [kind["properties"]["type"]["const"] for kind in open_[0]["response_schema"]["oneOf"]],
    }


async def answer(c, thread):
    open_ = questions(await c.threads.get_state(thread))
    said = {"asked": [about(i) for i in open_]}
    said["wrong"] = (await stream(c, thread, command={"resume": {open_[0]["id"]: {"type": "perhaps"}}}))[0]
    said["open"] = [about(i) for i in questions(await c.threads.get_state(thread))]
    edit = {"decisions": [{"type": "edit", "edited_action": {"name": "refund", "args": {"order": "A-9"}}}]}
    reject = {"type": "reject", "message": "It is too old."}
    resume = {open_[0]["id"]: edit, open_[1]["id"]: reject}
    said["streamed"] = await stream(c, thread, command={"resume": resume})
    said["last"] = last(await c.threads.get_state(thread))

    history = await c.threads.get_history(thread, limit=100)
    began = next(s for s in history if s["next"] == ["model"] and len(s["values"]["messages"]) == 1)
    other = {**began["values"]["messages"][0], "content": "A-3 came broken."}
    forked = await c.threads.update_state(thread, {"messages": [other]}, checkpoint=began["checkpoint"])
    await stream(c, thread, input=None, checkpoint=forked["checkpoint"])
    fork = await c.threads.get_state(thread)
    said["fork"] = [fork["values"]["messages"][0]["content"], [about(i) for i in questions(fork)]]
    said["kept"] = any(last(s) == said["last"] for s in await c.threads.get_history(thread, limit=100))
    return said


async def summarise(c):
    thread, updates = (await c.threads.create())["thread_id"], 0
    texts = {"texts": ["a b c d e", "f g h i j"]}
    async for part in c.runs.stream(thread, "summarise", input=texts, stream_mode="updates"):
        if part.event == "updates" and "map" in part.data:
            updates += 1
    values = (await c.threads.get_state(thread))["values"]
    return {"updates": updates, "summaries": values["summaries"], "summary": values["summary"]}


step, url, *more = sys.argv[1:]
steps = {"ask": ask, "answer": answer, "summarise": summarise}
print(json.dumps(asyncio.run(steps[step](get_client(url=url), *more))))
