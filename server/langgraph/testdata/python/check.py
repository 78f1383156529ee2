"""Asks a server by LangGraph's own Python client, and prints a line for each check: ok NAME, or FAIL NAME: why.

python check.py URL
"""

import asyncio
import sys

from langgraph_sdk import get_client

CHECKS = []


def check(f):
    CHECKS.append(f)
    return f


def same(got, want):
    assert got == want, f"got {got!r}, want {want!r}"


@check
async def join_without_mode(c):
    """A stream of a run in the background is joined without naming modes."""
    t = (await c.threads.create())["thread_id"]
    run = await c.runs.create(t, "probe", input={"mode": "custom", "n": 2}, stream_resumable=True)
    parts = [p.event async for p in c.runs.join_stream(t, run["run_id"], last_event_id="-1")]
    assert "values" in parts, parts


@check
async def two_readers(c):
    t = (await c.threads.create())["thread_id"]
    run = await c.runs.create(t, "probe", input={"mode": "slow", "delay_ms": 400, "text": "x"}, stream_resumable=True)

    async def read():
        return [p.event async for p in c.runs.join_stream(t, run["run_id"], last_event_id="-1")]

    one, two = await asyncio.gather(read(), read())
    same(one, two)
    assert one, "nothing was read"


@check
async def busy_thread_waits(c):
    """Without a strategy a run waits for the one before, as on the platform."""
    t = (await c.threads.create())["thread_id"]
    first = await c.runs.create(t, "probe", input={"mode": "slow", "delay_ms": 600, "text": "one"})
    second = await c.runs.create(t, "probe", input={"mode": "echo", "text": "two"})
    same(second["multitask_strategy"], "enqueue")
    values = await c.runs.wait(t, "probe", input={"mode": "echo", "text": "three"})
    same(values["answer"], "three")
    for run in (first, second):
        same((await c.runs.get(t, run["run_id"]))["status"], "success")


@check
async def messages_of_a_thread(c):
    """The newer protocol streams the messages of plain nodes in the root namespace."""
    async with c.threads.stream(assistant_id="probe") as thread:
        await thread.run.start(input={"mode": "tokens", "text": "one two three"})
        async for message in thread.messages:
            same(message.namespace, [])
            break
        else:
            raise AssertionError("no message came")


@check
async def interrupts_of_states(c):
    t = (await c.threads.create())["thread_id"]
    await c.runs.wait(t, "probe", input={"mode": "interrupt"})
    state = await c.threads.get_state(t)
    same(len(state["interrupts"]), 1)
    thread = await c.threads.get(t)
    same(len(thread["interrupts"]), 1)
    await c.runs.wait(t, "probe", command={"resume": {"approved": True}})
    same((await c.threads.get_state(t))["interrupts"], [])
    same((await c.threads.get(t))["interrupts"], {})


@check
async def error_of_a_thread(c):
    t = (await c.threads.create())["thread_id"]
    try:
        await c.runs.wait(t, "probe", input={"mode": "fail"})
    except Exception:
        pass
    thread = await c.threads.get(t)
    same(thread["status"], "error")
    assert thread["error"], thread


@check
async def one_cron(c):
    made = await c.crons.create("probe", schedule="0 9 * * 1", input={"mode": "echo"})
    try:
        got = await c.http.get(f"/runs/crons/{made['cron_id']}")
        same(got["schedule"], "0 9 * * 1")
    finally:
        await c.crons.delete(made["cron_id"])


@check
async def extracted_values(c):
    t = (await c.threads.create(metadata={"mine": "extract"}))["thread_id"]
    await c.runs.wait(t, "probe", input={"mode": "echo", "text": "seen"})
    (found,) = await c.threads.search(metadata={"mine": "extract"}, extract={"said": "values.answer"})
    same(found["extracted"], {"said": "seen"})


@check
async def durability_of_a_run(c):
    """A run that is kept only at its end leaves one checkpoint."""
    t = (await c.threads.create())["thread_id"]
    await c.runs.wait(t, "probe", input={"mode": "echo", "text": "x"}, durability="exit")
    same(len(await c.threads.get_history(t, limit=20)), 1)
    await c.runs.wait(t, "probe", input={"mode": "echo", "text": "y"})
    assert len(await c.threads.get_history(t, limit=20)) > 2


async def main():
    client = get_client(url=sys.argv[1])
    failed = 0
    for f in CHECKS:
        try:
            await asyncio.wait_for(f(client), 30)
            print("ok", f.__name__)
        except Exception as e:  # what a check meets is its result
            failed += 1
            print(f"FAIL {f.__name__}: {type(e).__name__}: {str(e)[:300]}")
    print(f"{len(CHECKS) - failed} passed, {failed} failed")


asyncio.run(main())
