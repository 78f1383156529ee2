// Lets OpenAI's own client for JavaScript use a server as it would use OpenAI's, and prints what came of it as JSON.
import { createOpenResponses } from "@ai-sdk/open-responses";
import OpenAI from "openai";

const [baseURL, apiKey, limitedURL] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const ask = (content, more = {}) => ({ model: "annai", messages: [{ role: "user", content }], ...more });
const said = {};

async function refused(name, call) {
  try {
    await call();
    said[name] = "no error";
  } catch (error) {
    said[name] = [error.constructor.name, error.status ?? null, error.code ?? null];
  }
}

const models = [];
for await (const model of client.models.list()) models.push(model.id);
said.models = models;
said.model = (await client.models.retrieve("annai:chat")).id;

const whole = await client.chat.completions.create(ask("Wi-Fiは使えますか？"));
said.whole = [whole.choices[0].message.content, whole.choices[0].finish_reason, whole.usage.total_tokens > 0];

const parts = await client.chat.completions.create(
  ask([{ type: "text", text: "Wi-Fiは使えますか？" }, { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]),
);
said.parts = parts.choices[0].message.content;

const stream = await client.chat.completions.create(ask("Wi-Fiは使えますか？", { stream: true, stream_options: { include_usage: true } }));
const deltas = [];
let usage = false;
for await (const chunk of stream) {
  if (chunk.choices[0]?.delta.content) deltas.push(chunk.choices[0].delta.content);
  usage ||= (chunk.usage?.total_tokens ?? 0) > 0;
}
said.stream = [deltas.join(""), deltas.length > 1, usage];
said.gathered = await client.chat.completions.stream(ask("Wi-Fiは使えますか？")).finalContent();

const aborted = await client.chat.completions.create(ask("wait", { stream: true }));
let first = "";
for await (const chunk of aborted) {
  first += chunk.choices[0].delta.content;
  aborted.controller.abort();
}
said.aborted = first;
await refused("late", () => client.chat.completions.create(ask("wait"), { timeout: 2000 }));

await refused("key", () => new OpenAI({ baseURL, apiKey: "wrong", maxRetries: 0 }).chat.completions.create(ask("a")));
await refused("unknown", () => client.chat.completions.create(ask("a", { model: "gpt-4o" })));
await refused("tools", () => client.chat.completions.create(ask("a", { tool_choice: "required" })));
await refused("format", () => client.chat.completions.create(ask("a", { response_format: { type: "json_object" } })));
await refused("broken", () => client.chat.completions.create(ask("break")));
const limited = new OpenAI({ baseURL: limitedURL, apiKey, maxRetries: 0 });
await limited.chat.completions.create(ask("a"));
await refused("often", () => limited.chat.completions.create(ask("a")));

const response = await client.responses.create({ model: "annai", input: "カフェは何時まで開いていますか？" });
const next = await client.responses.create({ model: "annai", input: "1", previous_response_id: response.id, instructions: "be brief" });
said.response = [response.output_text, response.status, next.output_text];
const types = [];
let text = "";
for await (const event of await client.responses.create({ model: "annai:avatar", input: "Wi-Fiは使えますか？", stream: true })) {
  types.push(event.type);
  if (event.type === "response.output_text.delta") text += event.delta;
}
said.events = [[...new Set(types)], text];
await refused("stored", () => client.responses.retrieve(response.id));
await refused("previous", () => client.responses.create({ model: "annai", input: "a", previous_response_id: "resp_x" }));

// the provider for Open Responses of the AI SDK, as the SDK itself calls it
const open = createOpenResponses({ name: "annai", url: `${baseURL}/responses`, apiKey })("annai:chat");
const prompt = [{ role: "user", content: [{ type: "text", text: "Wi-Fiは使えますか？" }] }];
const generated = await open.doGenerate({ prompt });
const answered = [generated.content.map((part) => part.text).join(""), generated.finishReason.unified];
let pieces = "";
for await (const part of (await open.doStream({ prompt })).stream) if (part.type === "text-delta") pieces += part.delta;
said.open = [...answered, pieces === answered[0]];
try {
  await open.doGenerate({ prompt: [{ role: "user", content: [{ type: "text", text: "" }] }] });
} catch (error) {
  said.empty = [error.statusCode, error.message];
}

console.log(JSON.stringify(said));
