// Lets the protocol's own client use a server, holds each event against the protocol's schemas, keeps what came over the
// wire in a folder, one file a run, and prints what came of it as JSON.
import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { writeFileSync } from "node:fs";

const [url, folder] = process.argv.slice(2);
const said = {};
let files = 0;

async function record(address, init) {
  const response = await fetch(address, init);
  if (!response.ok) return response;
  const [one, other] = response.body.tee();
  const file = `${folder}/${String(files++).padStart(2, "0")}.sse`;
  new Response(other).text().then((text) => writeFileSync(file, text), () => {});
  return new Response(one, { status: response.status, headers: response.headers });
}

const agentOf = (id, more = {}) => new HttpAgent({ url: `${url}/agui/${id}`, fetch: record, ...more });

async function run(agent, words, parameters = {}, subscriber = {}) {
  const got = { events: [], outcome: null };
  if (words !== undefined) agent.addMessage({ id: crypto.randomUUID(), role: "user", content: words });
  try {
    await agent.runAgent(parameters, {
      onEvent: ({ event }) => {
        const parsed = EventSchemas.safeParse(event);
        if (!parsed.success) (said.invalid ??= []).push([event, parsed.error.issues]);
        if (event.type !== got.events.at(-1)) got.events.push(event.type);
        if (event.type === "RUN_FINISHED") got.outcome = event.outcome;
        if (event.type === "RUN_ERROR") got.outcome = { type: "error", message: event.message };
      },
      ...subscriber,
    });
  } catch (error) {
    got.refused = error.message;
  }
  return got;
}

const last = (agent) => agent.messages.at(-1).content;

const echo = agentOf("probe", { initialState: { mode: "echo", text: "hello" } });
const first = await run(echo, "hi");
said.echo = [first.events, first.outcome.type, last(echo), echo.state.answer];
echo.setState({ ...echo.state, text: "again" });
await run(echo, "and again");
said.again = [echo.messages.map((m) => m.content), echo.state.answer];

const tokens = agentOf("probe", { initialState: { mode: "tokens", text: "alpha beta gamma" } });
said.tokens = [(await run(tokens, "hi")).events, last(tokens)];

const collects = agentOf("probe", { initialState: { mode: "fanout", n: 3 } });
await run(collects, "go");
collects.setState({ ...collects.state, mode: "echo" });
await run(collects, "and now?");
said.collects = collects.state.results.length;

const asks = agentOf("probe", { initialState: { mode: "interrupt" }, threadId: "not a UUID" });
const asked = await run(asks, "may I?");
const open = asked.outcome.interrupts;
said.asks = [asked.outcome.type, open.length, open[0].reason, open[0].message];
const resolved = await run(asks, undefined, { resume: [{ interruptId: open[0].id, status: "resolved", payload: "yes" }] });
said.answered = [resolved.outcome.type, asks.state.answer];
const both = agentOf("probe", { initialState: { mode: "interrupt2" } });
const two = (await run(both, "both?")).outcome.interrupts;
const drop = two.map((i) => ({ interruptId: i.id, status: "cancelled" }));
said.dropped = [two.length, (await run(both, undefined, { resume: drop })).outcome.type];

const failing = agentOf("probe", { initialState: { mode: "fail", text: "oh" } });
said.failed = (await run(failing, "x")).outcome;
said.custom = (await run(agentOf("probe", { initialState: { mode: "custom" } }), "x")).events.includes("CUSTOM");

const slow = agentOf("probe", { initialState: { mode: "slow", delay_ms: 20000 } });
await run(slow, "x", {}, { onCustomEvent: () => slow.abortRun() });
said.thread = slow.threadId;

const booker = agentOf("booker");
const booked = await run(booker, "book one");
said.tool = [booked.events, booked.outcome.type];
const [review] = booked.outcome.interrupts;
const done = await run(booker, undefined, {
  resume: [{ interruptId: review.id, status: "resolved", payload: { decisions: [{ type: "approve" }] } }],
});
said.booked = [done.events, booker.messages.map((m) => [m.role, m.content ?? "", m.toolCalls?.[0]?.function.name ?? ""])];

const nobody = agentOf("nobody");
said.nobody = (await run(nobody, "x")).refused?.includes("404");
await new Promise((settled) => setTimeout(settled, 100));
console.log(JSON.stringify(said));
