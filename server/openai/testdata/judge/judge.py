"""Lets OpenAI's own client for Python use a server as it would use OpenAI's, and prints what came of it as JSON."""
import json
import sys
from typing import get_args

import httpx2
import openai
from openresponses_types import types as types_of

base_url, api_key, limited_url = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)
said = {}


def ask(content, **more):
    return {"model": "annai", "messages": [{"role": "user", "content": content}], **more}


def refused(name, call):
    try:
        call()
        said[name] = "no error"
    except openai.APIError as error:
        said[name] = [type(error).__name__, getattr(error, "status_code", None), error.code]


said["models"] = [model.id for model in client.models.list()]
said["model"] = client.models.retrieve("annai:chat").id

whole = client.chat.completions.create(**ask("Wi-Fiは使えますか？"))
said["whole"] = [whole.choices[0].message.content, whole.choices[0].finish_reason, whole.usage.total_tokens > 0]

parts = client.chat.completions.create(
    **ask([{"type": "text", "text": "Wi-Fiは使えますか？"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}])
)
said["parts"] = parts.choices[0].message.content

deltas, usage = [], False
for chunk in client.chat.completions.create(**ask("Wi-Fiは使えますか？", stream=True, stream_options={"include_usage": True})):
    if chunk.choices and chunk.choices[0].delta.content:
        deltas.append(chunk.choices[0].delta.content)
    usage = usage or bool(chunk.usage and chunk.usage.total_tokens > 0)
said["stream"] = ["".join(deltas), len(deltas) > 1, usage]
with client.chat.completions.stream(**ask("Wi-Fiは使えますか？")) as gathering:
    said["gathered"] = gathering.get_final_completion().choices[0].message.content

aborted, first = client.chat.completions.create(**ask("wait", stream=True)), ""
for chunk in aborted:
    first += chunk.choices[0].delta.content
    aborted.close()
    break
said["aborted"] = first
refused("late", lambda: client.with_options(timeout=2).chat.completions.create(**ask("wait")))

refused("key", lambda: client.with_options(api_key="wrong").chat.completions.create(**ask("a")))
refused("unknown", lambda: client.chat.completions.create(**{**ask("a"), "model": "gpt-4o"}))
refused("tools", lambda: client.chat.completions.create(**ask("a", tool_choice="required")))
refused("format", lambda: client.chat.completions.create(**ask("a", response_format={"type": "json_object"})))
refused("broken", lambda: client.chat.completions.create(**ask("break")))
limited = client.with_options(base_url=limited_url)
limited.chat.completions.create(**ask("a"))
refused("often", lambda: limited.chat.completions.create(**ask("a")))

response = client.responses.create(model="annai", input="カフェは何時まで開いていますか？")
following = client.responses.create(model="annai", input="1", previous_response_id=response.id, instructions="be brief")
said["response"] = [response.output_text, response.status, following.output_text]
types, text = [], ""
for event in client.responses.create(model="annai:avatar", input="Wi-Fiは使えますか？", stream=True):
    if event.type not in types:
        types.append(event.type)
    if event.type == "response.output_text.delta":
        text += event.delta
said["events"] = [types, text]
refused("stored", lambda: client.responses.retrieve(response.id))
refused("previous", lambda: client.responses.create(model="annai", input="a", previous_response_id="resp_x"))

# held against the types of Open Responses
headers = {"Authorization": f"Bearer {api_key}"}
body = {"model": "annai:chat", "input": "Wi-Fiは使えますか？"}
raw = httpx2.post(f"{base_url}/responses", json=body, headers=headers).json()
whole = types_of.ResponseResource.model_validate(raw)
answered = [whole.output[0].content[0].text, "stop" if whole.status == "completed" else whole.status]
events = {
    model.model_fields["type"].annotation: model
    for model in vars(types_of).values()
    if isinstance(model, type) and model.__name__.endswith("StreamingEvent")
}
events = {next(iter(kind)).value if isinstance(kind, type) else get_args(kind)[0]: model for kind, model in events.items()}
pieces, ended = "", False
with httpx2.stream("POST", f"{base_url}/responses", json={**body, "stream": True}, headers=headers) as lines:
    for line in lines.iter_lines():
        if line == "data: [DONE]":
            ended = True
        elif line.startswith("data: "):
            event = json.loads(line.removeprefix("data: "))
            typed = events[event["type"]].model_validate(event)
            pieces += typed.delta if event["type"] == "response.output_text.delta" else ""
said["open"] = [*answered, ended and pieces == answered[0]]
empty = httpx2.post(f"{base_url}/responses", json={**body, "input": [{"role": "user", "content": ""}]}, headers=headers)
said["empty"] = [empty.status_code, empty.json()["error"]["message"]]

print(json.dumps(said))
