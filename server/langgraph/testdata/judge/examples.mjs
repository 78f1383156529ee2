// Uses the programs in examples by LangGraph's client for JavaScript, as examples.py does by that for Python, and prints what came of it
// as JSON. The process of the support agent is killed between the two steps.
//
// node examples.mjs ask|answer|summarise URL [THREAD]
import { Client } from "langgraph-sdk-next";

const [step, apiUrl, thread] = process.argv.slice(2);
const client = new Client({ apiUrl });

/** Runs the agent and returns the kinds of events, and the text that was streamed. */
async function stream(id, parameters) {
  const kinds = new Set();
  let text = "";
  for await (const { event, data } of client.runs.stream(id, "support", { streamMode: ["updates", "messages-tuple"], ...parameters })) {
    kinds.add(event);
    if (event === "messages" && data[0].type.startsWith("AI")) text += data[0].content;
  }
  return [[...kinds].sort().join(" "), text];
}

const about = (interrupt) => interrupt.value.action_requests[0].args.order;
const questions = (state) => state.tasks.flatMap((task) => task.interrupts).sort((a, b) => about(a).localeCompare(about(b)));
const last = (state) => state.values.messages.at(-1).content;

const steps = {
  async ask() {
    const [found] = await client.assistants.search({ graphId: "support" });
    const { thread_id } = await client.threads.create();
    const input = { messages: [{ role: "user", content: "A-7 and A-8 came broken." }] };
    const said = { found: found.name, thread: thread_id, streamed: await stream(thread_id, { input }) };
    const open = questions(await client.threads.getState(thread_id));
    said.asked = open.map(about);
    said.answers = open[0].response_schema.oneOf.map((kind) => kind.properties.type.const);
    return said;
  },

  async answer() {
    const open = questions(await client.threads.getState(thread));
    const said = { asked: open.map(about) };
    [said.wrong] = await stream(thread, { command: { resume: { [open[0].id]: { type: "perhaps" } } } });
    said.open = questions(await client.threads.getState(thread)).map(about);
    const edit = { decisions: [{ type: "edit", edited_action: { name: "refund", args: { order: "A-9" } } }] };
    const reject = { type: "reject", message: "It is too old." };
    said.streamed = await stream(thread, { command: { resume: { [open[0].id]: edit, [open[1].id]: reject } } });
    said.last = last(await client.threads.getState(thread));

    const history = await client.threads.getHistory(thread, { limit: 100 });
    const began = history.find((state) => state.next[0] === "model" && state.values.messages.length === 1);
    const other = { ...began.values.messages[0], content: "A-3 came broken." };
    const { checkpoint } = await client.threads.updateState(thread, { values: { messages: [other] }, checkpoint: began.checkpoint });
    await stream(thread, { input: null, checkpoint });
    const fork = await client.threads.getState(thread);
    said.fork = [fork.values.messages[0].content, questions(fork).map(about)];
    said.kept = (await client.threads.getHistory(thread, { limit: 100 })).some((state) => last(state) === said.last);
    return said;
  },

  async summarise() {
    const got = { updates: 0 };
    const { thread_id } = await client.threads.create();
    for await (const { event, data } of client.runs.stream(thread_id, "summarise", { input: { texts: ["a b c d e", "f g h i j"] }, streamMode: "updates" })) {
      if (event === "updates" && data.map) got.updates++;
    }
    const { values } = await client.threads.getState(thread_id);
    return { ...got, summaries: values.summaries, summary: values.summary };
  },
};

console.log(JSON.stringify(await steps[step]()));
