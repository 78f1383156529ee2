// Lets the client of the protocol's own SDK use a server, in both versions, and prints what came of it as JSON.
import { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { Role, TaskState, taskStateToJSON } from "@a2a-js/sdk";

const [url] = process.argv.slice(2);
const said = {};

const message = (parts, more = {}) => ({
  tenant: "", metadata: undefined, configuration: more.configuration,
  message: {
    messageId: crypto.randomUUID(), role: Role.ROLE_USER, contextId: more.contextId ?? "", taskId: more.taskId ?? "",
    extensions: [], referenceTaskIds: [], metadata: undefined,
    parts: parts.map((p) => ({
      content: typeof p === "string" ? { $case: "text", value: p } : { $case: "data", value: p },
      metadata: undefined, filename: "", mediaType: "",
    })),
  },
});
const text = (parts) => parts.map((p) => (p.content?.$case === "text" ? p.content.value : "{}")).join("");
const stateOf = (task) => taskStateToJSON(task.status.state);
const result = (task) => [stateOf(task), task.artifacts.map((a) => text(a.parts))];

async function refused(call) {
  try {
    await call();
    return "no error";
  } catch (error) {
    return error.constructor.name;
  }
}

// what is told of a stream: states, and the text of artifacts put together
async function hear(stream, begun = () => {}) {
  const states = [];
  const artifacts = {};
  let task;
  for await (const event of stream) {
    const e = event.payload;
    begun();
    if (e.$case === "task") task = e.value;
    if (e.$case === "statusUpdate") states.push(taskStateToJSON(e.value.status.state));
    if (e.$case === "artifactUpdate") {
      const { artifactId, parts } = e.value.artifact;
      artifacts[artifactId] = (e.value.append ? artifacts[artifactId] : "") + text(parts);
    }
  }
  return { task, states: states.filter((s, i) => s !== states[i - 1]), text: Object.values(artifacts).join("|") };
}

async function judge(client) {
  const got = {};
  const probe = (mode, { text = "hello", delay_ms, ...more } = {}) => message([{ mode, text, delay_ms }, text], more);

  const echo = await client.sendMessage(probe("echo"));
  got.echo = result(echo);
  got.got = result(await client.getTask({ tenant: "", id: echo.id, historyLength: 1 }));
  got.history = echo.history.map((m) => [m.role === Role.ROLE_USER, text(m.parts)]);
  const again = await client.sendMessage(probe("echo", { contextId: echo.contextId, text: "again" }));
  got.context = [again.contextId === echo.contextId, again.id === echo.id, ...result(again)];
  got.first = result(await client.getTask({ tenant: "", id: echo.id }));

  const streamed = await hear(client.sendMessageStream(probe("tokens", { text: "alpha beta gamma" })));
  got.tokens = [stateOf(streamed.task), streamed.states, streamed.text];
  got.custom = (await hear(client.sendMessageStream(message([{ mode: "custom" }])))).states;
  got.values = (await client.sendMessage(message([{ mode: "loop", count: 2 }]))).artifacts.length;

  const asks = await client.sendMessage(probe("interrupt", { text: "may I?" }));
  got.asks = [stateOf(asks), text(asks.status.message.parts)];
  const answered = await client.sendMessage(message(["yes"], { taskId: asks.id, contextId: asks.contextId }));
  got.answered = [answered.id === asks.id, stateOf(answered)];
  const both = await hear(client.sendMessageStream(message([{ mode: "interrupt2" }])));
  const asked = await client.getTask({ tenant: "", id: both.task.id });
  const ids = asked.status.message.parts.find((p) => p.content.$case === "data").content.value.interrupts.map((i) => i.id);
  got.both = [stateOf(asked), ids.length];
  const reply = (parts) => client.sendMessage(message(parts, { taskId: asked.id }));
  got.unclear = await refused(() => reply(["yes"]));
  got.answers = stateOf(await reply([Object.fromEntries(ids.map((id) => [id, "ok"]))]));
  got.late = await refused(() => reply(["yes"]));

  const slow = await client.sendMessage(probe("slow", { delay_ms: 20000, configuration: { returnImmediately: true, acceptedOutputModes: [] } }));
  got.slow = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].includes(stateOf(slow));
  let follower;
  await new Promise((begun) => (follower = hear(client.resubscribeTask({ tenant: "", id: slow.id }), begun)));
  got.canceled = stateOf(await client.cancelTask({ tenant: "", id: slow.id, metadata: undefined }));
  got.followed = (await follower).states;
  got.twice = await refused(() => client.cancelTask({ tenant: "", id: slow.id, metadata: undefined }));
  const open = await client.sendMessage(probe("interrupt"));
  got.dropped = stateOf(await client.cancelTask({ tenant: "", id: open.id, metadata: undefined }));
  got.moved = stateOf(await client.sendMessage(probe("echo", { contextId: open.contextId })));
  got.failed = result(await client.sendMessage(probe("fail")));

  got.unknown = await refused(() => client.getTask({ tenant: "", id: crypto.randomUUID() }));
  got.badContext = await refused(() => client.sendMessage(probe("echo", { contextId: "mine" })));
  got.push = await refused(() => client.listTaskPushNotificationConfig({ tenant: "", taskId: slow.id, pageSize: 1, pageToken: "" }));
  return got;
}

const resolver = new DefaultAgentCardResolver();
const card = await resolver.resolve(url);
said.card = [card.name, card.capabilities.streaming, card.supportedInterfaces.map((i) => i.protocolVersion), card.skills.length];
const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory()], cardResolver: resolver });
said.new = await judge(await factory.createFromAgentCard(card));
const old = { ...card, supportedInterfaces: card.supportedInterfaces.filter((i) => i.protocolVersion === "0.3") };
const legacy = new ClientFactory({
  transports: [new JsonRpcTransportFactory({ legacyCompat: { enabled: true } })], cardResolver: resolver, legacyCompat: { enabled: true },
});
said.old = await judge(await legacy.createFromAgentCard(old));
console.log(JSON.stringify(said));
