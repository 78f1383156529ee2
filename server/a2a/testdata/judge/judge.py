"""Lets the Python client of the protocol's own SDK use a server, in both versions, and prints what came of it as JSON."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers import new_data_part, new_text_part
from a2a.types import (
    CancelTaskRequest, GetTaskRequest, ListTaskPushNotificationConfigsRequest, Message, Role, SendMessageRequest,
    SubscribeToTaskRequest, TaskState,
)
from google.protobuf.json_format import MessageToDict


def message(parts, context="", task="", at_once=False):
    made = [new_text_part(p) if isinstance(p, str) else new_data_part(p) for p in parts]
    request = SendMessageRequest(message=Message(
        message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=made, context_id=context, task_id=task))
    if at_once:
        request.configuration.return_immediately = True
    return request


def text(parts):
    return "".join(p.text if p.WhichOneof("content") == "text" else "{}" for p in parts)


def state(task):
    return TaskState.Name(task.status.state)


def result(task):
    return [state(task), [text(a.parts) for a in task.artifacts]]


async def refused(call):
    try:
        await call
        return "no error"
    except Exception as error:
        return type(error).__name__


async def hear(stream, begun=None):
    """What is told of a stream: the task, its states, and the text of artifacts put together."""
    states, artifacts, task = [], {}, None
    async for event in stream:
        if begun:
            begun.set()
        match event.WhichOneof("payload"):
            case "task":
                task = event.task
            case "status_update":
                if states[-1:] != [state(event.status_update)]:
                    states.append(state(event.status_update))
            case "artifact_update":
                made = event.artifact_update.artifact
                before = artifacts.get(made.artifact_id, "") if event.artifact_update.append else ""
                artifacts[made.artifact_id] = before + text(made.parts)
    return task, states, "|".join(artifacts.values())


async def judge(streaming, waiting):
    got = {}

    async def send(*args, **more):
        async for event in waiting.send_message(message(*args, **more)):
            return event.task

    def probe(mode, said="hello", **more):
        return [{"mode": mode, "text": said, **more}, said]

    echo = await send(probe("echo"))
    got["echo"] = result(echo)
    got["got"] = result(await waiting.get_task(GetTaskRequest(id=echo.id, history_length=1)))
    got["history"] = [[m.role == Role.ROLE_USER, text(m.parts)] for m in echo.history]
    again = await send(probe("echo", "again"), context=echo.context_id)
    got["context"] = [again.context_id == echo.context_id, again.id == echo.id, *result(again)]
    got["first"] = result(await waiting.get_task(GetTaskRequest(id=echo.id)))

    task, states, words = await hear(streaming.send_message(message(probe("tokens", "alpha beta gamma"))))
    got["tokens"] = [state(task), states, words]
    got["custom"] = (await hear(streaming.send_message(message([{"mode": "custom"}]))))[1]
    got["values"] = len((await send([{"mode": "loop", "count": 2}])).artifacts)

    asks = await send(probe("interrupt", "may I?"))
    got["asks"] = [state(asks), text(asks.status.message.parts)]
    answered = await send(["yes"], task=asks.id, context=asks.context_id)
    got["answered"] = [answered.id == asks.id, state(answered)]
    task, _, _ = await hear(streaming.send_message(message([{"mode": "interrupt2"}])))
    asked = await waiting.get_task(GetTaskRequest(id=task.id))
    [data] = [MessageToDict(p.data) for p in asked.status.message.parts if p.WhichOneof("content") == "data"]
    ids = [i["id"] for i in data["interrupts"]]
    got["both"] = [state(asked), len(ids)]
    got["unclear"] = await refused(send(["yes"], task=asked.id))
    got["answers"] = state(await send([{i: "ok" for i in ids}], task=asked.id))
    got["late"] = await refused(send(["yes"], task=asked.id))

    slow = await send(probe("slow", delay_ms=20000), at_once=True)
    got["slow"] = state(slow) in ("TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")
    begun = asyncio.Event()
    follower = asyncio.create_task(hear(streaming.subscribe(SubscribeToTaskRequest(id=slow.id)), begun))
    await begun.wait()
    got["canceled"] = state(await waiting.cancel_task(CancelTaskRequest(id=slow.id)))
    got["followed"] = (await follower)[1]
    got["twice"] = await refused(waiting.cancel_task(CancelTaskRequest(id=slow.id)))
    stopped = await send(probe("interrupt"))
    got["dropped"] = state(await waiting.cancel_task(CancelTaskRequest(id=stopped.id)))
    got["moved"] = state(await send(probe("echo"), context=stopped.context_id))
    got["failed"] = result(await send(probe("fail")))

    got["unknown"] = await refused(waiting.get_task(GetTaskRequest(id=str(uuid.uuid4()))))
    got["badContext"] = await refused(send(probe("echo"), context="mine"))
    got["push"] = await refused(
        waiting.list_task_push_notification_configs(ListTaskPushNotificationConfigsRequest(task_id=slow.id)))
    return got


async def main(url):
    said = {}
    async with httpx.AsyncClient(timeout=30) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        versions = [i.protocol_version for i in card.supported_interfaces]
        said["card"] = [card.name, card.capabilities.streaming, versions, len(card.skills)]
        for name, version in (("new", "1.0"), ("old", "0.3")):
            one = type(card)()
            one.CopyFrom(card)
            del one.supported_interfaces[:]
            one.supported_interfaces.extend(i for i in card.supported_interfaces if i.protocol_version == version)
            clients = []
            for streams in (True, False):
                async_client = httpx.AsyncClient(timeout=30, headers={"A2A-Version": version})
                config = ClientConfig(streaming=streams, httpx_client=async_client)
                clients.append(ClientFactory(config).create(one))
            said[name] = await judge(*clients)
    print(json.dumps(said))


asyncio.run(main(sys.argv[1]))
