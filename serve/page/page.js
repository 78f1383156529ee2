// The page draws graphs and runs them by LangGraph's API. It keeps nothing: a reload begins anew.
"use strict";
const $ = id => document.getElementById(id);
// questions are open, answering the id of the one that the answer in the form is to; messages are those that are shown, by id; boxes
// the nodes of the drawing, by name.
let thread = null, questions = null, answering = null, messages = new Map(), boxes = new Map(), talks = false, sample = "{}";

async function ask(path, body) {
  const headers = { "Content-Type": "application/json" };
  if ($("key").value) headers["X-Api-Key"] = $("key").value;
  const answer = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.detail || said.error?.message || answer.statusText);
}

function vector(name, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== undefined) e.textContent = text;
  return e;
}

// rowsOf puts each node in the row after the first of those that lead to it, and the end last.
function rowsOf({ nodes, edges }) {
  const row = new Map([["__start__", 0]]);
  for (const queue = ["__start__"]; queue.length;) {
    const at = queue.shift();
    for (const e of edges) if (e.source === at && !row.has(e.target)) { row.set(e.target, row.get(at) + 1); queue.push(e.target); }
  }
  const last = Math.max(...row.values());
  for (const n of nodes) if (!row.has(n.id)) row.set(n.id, last);
  if (row.has("__end__")) row.set("__end__", Math.max(...[...row].filter(([id]) => id !== "__end__").map(([, r]) => r + 1)));
  const rows = [];
  for (const n of nodes) (rows[row.get(n.id)] ||= []).push(n.id);
  return rows;
}

// curve is the way of an edge: straight to the next row, else around what lies between, forward on the left.
function curve([x1, y1], [x2, y2], height) {
  const side = 68, rows = (y2 - y1) / height;
  if (rows > 0 && rows <= 1) return `M${x1} ${y1 + 17}L${x2} ${y2 - 17}`;
  if (rows === 0 && x1 !== x2) return `M${x1} ${y1 + 17}C${x1} ${y1 + 45} ${x2} ${y2 + 45} ${x2} ${y2 + 17}`;
  const out = (rows > 0 ? -1 : 1) * side, bend = Math.sign(out) * (25 + 15 * Math.min(5, Math.abs(rows)));
  return `M${x1 + out} ${y1}C${x1 + out + bend} ${y1} ${x2 + out + bend} ${y2} ${x2 + out} ${y2}`;
}

function draw(graph) {
  const rows = rowsOf(graph), width = 170, height = 80, margin = 100;
  const wide = Math.max(...rows.filter(Boolean).map(r => r.length)) * width + 2 * margin;
  const place = new Map();
  rows.forEach((ids, y) => ids.forEach((id, x) => place.set(id, [(wide - ids.length * width) / 2 + (x + .5) * width, y * height + 30])));
  const svg = vector("svg", { viewBox: `0 0 ${wide} ${rows.length * height}`, width: wide, role: "img", "aria-label": "The graph" });
  const marker = vector("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  marker.append(vector("path", { d: "M0 0L8 4L0 8z" }));
  svg.appendChild(vector("defs", {})).append(marker);
  for (const e of graph.edges) {
    const d = curve(place.get(e.source), place.get(e.target), height);
    svg.append(vector("path", { d, "marker-end": "url(#arrow)", class: e.conditional ? "decided" : "" }));
  }
  boxes = new Map();
  for (const [id, [x, y]] of place) {
    const box = vector("rect", { x: x - 68, y: y - 17, width: 136, height: 34, rx: 8 });
    boxes.set(id, box);
    const name = id.replace(/^__(start|end)__$/, "$1");
    const text = vector("text", { x, y: y + 4 }, name.length > 18 ? name.slice(0, 17) + "…" : name);
    text.append(vector("title", {}, name));
    svg.append(box, text);
  }
  $("drawing").replaceChildren(svg);
}

function paint(name, kind) { boxes.get(name)?.setAttribute("class", kind); }

function element(name, text, kind) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

const shown = value => typeof value === "string" ? value : JSON.stringify(value, null, 2);

// brief is JSON in one line, if it fits.
const brief = value => typeof value !== "string" && JSON.stringify(value)?.length <= 100 ? JSON.stringify(value) : shown(value);

// whole is JSON to unfold.
function whole(value) {
  const d = element("details");
  d.append(element("summary", "all of it"), element("pre", shown(value)));
  return d;
}

// say puts an entry into the log: who says it, what, and more elements.
function say(who, text, kind, ...more) {
  const e = element("div", undefined, kind);
  e.append(element("small", who), text, ...more);
  $("log").append(e);
  e.scrollIntoView({ block: "nearest" });
  return e;
}

const textOf = content => typeof content === "string" ? content : (content ?? []).map(c => c.text ?? "").join("");

// sayMessage shows a message, in its place if it was there already.
function sayMessage(m, node) {
  const calls = (m.tool_calls ?? []).map(c => { const p = element("div"); p.append("calls ", element("code", `${c.name}(${JSON.stringify(c.args)})`)); return p; });
  const who = m.type === "tool" ? `${m.name ?? "tool"} answers` : m.type === "human" ? "you" : node ?? m.type;
  const entry = say(who, textOf(m.content), m.type, ...calls, ...node ? [whole(m)] : []);
  if (m.id && messages.has(m.id)) messages.get(m.id).replaceWith(entry);
  if (m.id) messages.set(m.id, entry);
}

// sayUpdate shows what a node wrote.
function sayUpdate(node, update) {
  paint(node, "ran");
  const { messages: said, ...rest } = update && typeof update === "object" && !Array.isArray(update) ? update : { value: update };
  for (const m of [said ?? []].flat()) typeof m === "object" ? sayMessage(m, node) : say(node, shown(m), "ai");
  const short = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  if (said && !short.some(([key]) => !key.endsWith("_calls"))) return; // what agents count
  for (const [key, value] of short) say(node, "", "", element("code", `${key} = ${brief(value)}`));
  if (!said && !short.length) say(node, "wrote nothing", "");
}

function button(text, click) {
  const b = element("button", text);
  b.type = "button";
  b.addEventListener("click", click);
  return b;
}

// sayQuestion shows a question. One about calls of tools has a button for each decision.
function sayQuestion(q) {
  const calls = q.value?.action_requests;
  if (!Array.isArray(calls)) {
    const choice = questions.length > 1 ? [button("Answer this one", () => answer(q, ""))] : [];
    say("question", shown(q.value?.question ?? q.value), "question", ...choice, whole(q));
    return;
  }
  const more = calls.map(c => { const p = element("div"); p.append(element("code", `${c.name}(${JSON.stringify(c.args)})`), ` ${c.description ?? ""}`); return p; });
  for (const type of q.value.review_configs?.[0]?.allowed_decisions ?? []) {
    more.push(button(type[0].toUpperCase() + type.slice(1), () => decide(q, type, calls)));
  }
  say("question", "May this be done?", "question", ...more, whole(q));
}

// answer has the answer to one of the questions written.
function answer(q, text) {
  answering = q.id;
  expect("waits for your answer");
  $("input").value = text;
  $("input").focus();
}

// decide answers a question about calls. What is edited or said in a tool's place is written first.
function decide(q, type, calls) {
  const more = { edit: c => ({ edited_action: { name: c.name, args: c.args } }), respond: () => ({ message: "" }) }[type];
  answer(q, shown({ decisions: calls.map(c => ({ type, ...more?.(c) })) }));
  if (!more) $("try").requestSubmit();
}

async function choose() {
  fresh();
  const id = $("graph").value;
  try {
    draw(await (await ask(`/assistants/${id}/graph`)).json());
    $("mermaid").textContent = await (await ask(`/graphs/${id}`)).text();
    const schema = (await (await ask(`/assistants/${id}/schemas`)).json()).input_schema;
    $("schema").textContent = shown(schema);
    talks = !!schema.properties?.messages;
    sample = talks ? "Hello" : shown(blank(schema));
    $("about").textContent = (await (await ask(`/.well-known/agent-card.json?assistant_id=${id}`)).json()).description;
    fresh();
  } catch (e) { $("status").textContent = e.message; }
}

// blank is an input with nothing in it, to be filled in.
function blank(schema) {
  const empty = { string: "", array: [], object: {}, number: 0, integer: 0, boolean: false };
  const type = s => [s.type ?? s.types ?? []].flat().find(t => t !== "null");
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, s]) => [name, empty[type(s)] ?? null]));
}

function fresh() {
  thread = questions = answering = null;
  messages = new Map();
  $("log").replaceChildren();
  for (const [name] of boxes) paint(name, "");
  $("input").value = sample;
  $("after").hidden = true;
  expect("");
}

// expect says what is awaited of whoever looks at the page.
function expect(status) {
  $("status").textContent = status;
  $("run").textContent = questions ? "Answer" : "Run";
  $("says").textContent = questions ? (answered() ? "The answer, as words or JSON" : "Answer each question above, or all as JSON by their ids")
    : talks ? "A message in words, or the input as JSON" : "The input, as JSON";
}

// answered is the id of the question that the answer in the form is to, undefined if it is to several.
function answered() { return answering ?? (questions.length === 1 ? questions[0].id : undefined); }

// read is what was typed: JSON, or words where these are taken.
function read() {
  const typed = $("input").value.trim();
  try { return JSON.parse(typed); } catch (e) {
    if (!talks && !questions || /^[{[]/.test(typed)) throw new Error(`this is no JSON: ${e.message}`);
    return typed;
  }
}

function body() {
  const value = read();
  if (questions) return { command: { resume: answered() ? { [answered()]: value } : value } };
  return { input: typeof value === "object" ? value : { messages: [{ role: "user", content: String(value) }] } };
}

async function* events(answer) {
  let rest = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1], data = /^data: (.*)$/m.exec(block)?.[1];
      if (name && data) yield [name, JSON.parse(data)];
    }
  }
}

// run runs the graph, or goes on with the answer.
async function run() {
  const typed = read();
  const request = { assistant_id: $("graph").value, stream_mode: ["updates", "messages"], ...body() };
  $("status").textContent = "running";
  if (!thread) thread = (await (await ask("/threads", {})).json()).thread_id;
  const stream = await ask(`/threads/${thread}/runs/stream`, request);
  for (const b of $("log").querySelectorAll("button")) b.disabled = true;
  say("you", brief(typed), "human");
  for (const [name] of boxes) paint(name, "");
  questions = answering = null;
  let failed = false;
  for await (const [name, data] of events(stream)) {
    if (name === "messages/partial") for (const m of data) sayMessage(m);
    if (name === "error") { failed = true; say("error", data.message ?? shown(data), "error"); }
    if (name !== "updates") continue;
    for (const [node, update] of Object.entries(data)) {
      if (node === "__interrupt__") { questions = update; questions.forEach(sayQuestion); } else sayUpdate(node, update);
    }
  }
  const state = await (await ask(`/threads/${thread}/state`)).json();
  for (const name of state.next) paint(name, "waits");
  $("state").textContent = shown(state.values);
  $("after").hidden = false;
  $("input").value = questions || failed ? "" : sample;
  expect(questions ? "waits for your answer" : failed ? "failed" : "done");
}

async function begin() {
  try {
    const list = await (await ask("/assistants/search", { limit: 1000 })).json();
    $("graph").replaceChildren(...list.map(a => new Option(a.name, a.assistant_id)));
    await choose();
  } catch (e) { $("status").textContent = e.message; }
}

$("graph").addEventListener("change", choose);
$("key").addEventListener("change", begin);
$("new").addEventListener("click", fresh);
$("try").addEventListener("submit", async e => {
  e.preventDefault();
  $("run").disabled = true;
  try { await run(); } catch (error) { $("status").textContent = error.message; }
  $("run").disabled = false;
});
begin();
