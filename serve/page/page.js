// The page draws graphs and runs them by LangGraph's API. It keeps nothing: a reload begins anew.
"use strict";
const $ = id => document.getElementById(id);
let thread = null, question = null;

async function ask(path, body) {
  const headers = { "Content-Type": "application/json" };
  if ($("key").value) headers["X-Api-Key"] = $("key").value;
  const answer = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.detail || said.error?.message || answer.statusText);
}

function element(name, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== undefined) e.textContent = text;
  return e;
}

// draw puts each node in the row after the first of those that lead to it.
function draw({ nodes, edges }) {
  const row = new Map([["__start__", 0]]);
  for (let queue = ["__start__"]; queue.length;) {
    const at = queue.shift();
    for (const e of edges) if (e.source === at && !row.has(e.target)) { row.set(e.target, row.get(at) + 1); queue.push(e.target); }
  }
  const last = Math.max(...row.values());
  for (const n of nodes) if (!row.has(n.id)) row.set(n.id, last);
  if (row.has("__end__")) row.set("__end__", Math.max(last, ...[...row].filter(([id]) => id !== "__end__").map(([, r]) => r + 1)));
  const rows = [];
  for (const n of nodes) (rows[row.get(n.id)] ||= []).push(n.id);
  const width = 170, height = 80, wide = Math.max(...rows.filter(Boolean).map(r => r.length)) * width + 60;
  const place = new Map();
  rows.forEach((ids, y) => ids.forEach((id, x) => place.set(id, [(wide - ids.length * width) / 2 + (x + .5) * width, y * height + 30])));
  const svg = element("svg", { viewBox: `0 0 ${wide} ${rows.length * height}`, width: wide, role: "img" });
  const defs = svg.appendChild(element("defs", {}));
  const marker = defs.appendChild(element("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }));
  marker.append(element("path", { d: "M0 0L8 4L0 8z" }));
  for (const e of edges) {
    const [[x1, y1], [x2, y2]] = [place.get(e.source), place.get(e.target)];
    const back = y2 <= y1, side = 68;
    const d = back ? `M${x1 + side} ${y1}C${x1 + side + 45} ${y1} ${x2 + side + 45} ${y2} ${x2 + side} ${y2}` : `M${x1} ${y1 + 17}L${x2} ${y2 - 17}`;
    svg.append(element("path", { d, "marker-end": "url(#arrow)", class: e.conditional ? "decided" : "" }));
  }
  for (const [id, [x, y]] of place) {
    svg.append(element("rect", { x: x - 68, y: y - 17, width: 136, height: 34, rx: 8 }), element("text", { x, y: y + 4 }, id.replaceAll("__", "")));
  }
  $("drawing").replaceChildren(svg);
}

function say(text, kind) {
  const p = document.createElement(kind === "data" ? "pre" : "p");
  p.textContent = text;
  if (kind) p.className = kind;
  $("log").append(p);
  return p;
}

const shown = value => typeof value === "string" ? value : JSON.stringify(value, null, 2);

async function choose() {
  fresh();
  const id = $("graph").value;
  try {
    draw(await (await ask(`/assistants/${id}/graph`)).json());
    $("mermaid").textContent = await (await ask(`/graphs/${id}`)).text();
    const schema = (await (await ask(`/assistants/${id}/schemas`)).json()).input_schema;
    $("schema").textContent = shown(schema);
    $("input").value = schema.properties?.messages ? "Hello" : "{}";
  } catch (e) { $("status").textContent = e.message; }
}

function fresh() { thread = question = null; $("log").replaceChildren(); $("status").textContent = ""; }

function body() {
  const typed = $("input").value.trim();
  let value;
  try { value = JSON.parse(typed); } catch { value = typed; }
  if (question) return { command: { resume: question.length === 1 ? { [question[0].id]: value } : value } };
  return { input: typeof value === "string" ? { messages: [{ role: "user", content: value }] } : value };
}

async function* events(answer) {
  let rest = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1], data = /^data: (.*)$/m.exec(block)?.[1];
      if (name && data) yield [name, JSON.parse(data)];
    }
  }
}

async function run() {
  $("status").textContent = "running";
  if (!thread) thread = (await (await ask("/threads", {})).json()).thread_id;
  const request = { assistant_id: $("graph").value, stream_mode: ["updates", "messages"], ...body() };
  question = null;
  let piece = null;
  for await (const [name, data] of events(await ask(`/threads/${thread}/runs/stream`, request))) {
    if (name === "messages/partial") {
      piece ||= say("");
      piece.textContent = data.map(m => shown(m.content)).join("");
    } else if (name === "updates") {
      piece = null;
      if (data.__interrupt__) {
        question = data.__interrupt__;
        for (const q of question) say(`Question ${q.id}: ${shown(q.value)}`, "question");
      } else say(shown(data), "data");
    } else if (name === "error") say(`Error: ${data.message}`, "question");
  }
  $("status").textContent = question ? "waits for your answer" : "done";
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
