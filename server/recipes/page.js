// Shows the recipes, and tries them: the request goes to the door itself, as the front end would send it.
const here = location.origin;
const key = () => document.querySelector("#key").value;
const said = () => document.querySelector("#said").value;

/** An element with text and children. */
function make(name, text = "", ...children) {
  const element = document.createElement(name);
  element.textContent = text;
  element.append(...children);
  return element;
}

/** The value with what stands for something filled in; words stay words inside JSON, as they are never parsed. */
function filled(value) {
  if (typeof value === "string") {
    return value.replaceAll("SAID", said()).replaceAll("NEW", crypto.randomUUID?.() ?? String(Math.random()));
  }
  if (Array.isArray(value)) return value.map(filled);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]));
  }
  return value;
}

const headers = () => (key() === "" ? {} : { Authorization: `Bearer ${key()}` });

/** What comes back over HTTP. */
async function request(client) {
  const accept = client.accept === undefined ? {} : { Accept: client.accept };
  const response = await fetch(client.path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers(), ...accept },
    body: JSON.stringify(filled(client.body)),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, ok: response.ok, text: await response.text() };
}

/** What comes back over a socket, a message a line, until the answer is over. */
function link(client) {
  const url = new URL(client.path.slice("ws:".length), here.replace(/^http/, "ws"));
  if (key() !== "") url.searchParams.set("key", key());
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const lines = [];
    const end = (ok, status) => {
      clearTimeout(late);
      socket.close();
      resolve({ ok, status, text: lines.join("\n") });
    };
    const late = setTimeout(() => end(false, "no end"), 60_000);
    socket.onerror = () => end(false, "no connection");
    socket.onclose = () => end(false, "closed");
    socket.onmessage = ({ data }) => {
      lines.push(data);
      const { type } = JSON.parse(data);
      if (type === "session.ready") socket.send(JSON.stringify(filled(client.body)));
      if (type === "chat.done" || type === "chat.error") end(true, "101");
    };
  });
}

/** Sends the sentence, and shows what the front end makes of the answer. */
async function attempt(client, out) {
  out.replaceChildren(make("p", "…"));
  try {
    const back = await (client.path.startsWith("ws:") ? link(client) : request(client));
    const parts = [];
    if (back.ok) {
      const response = await fetch(`/connect/heard?client=${client.id}`, {
        method: "POST", headers: { "Content-Type": "text/plain", ...headers() }, body: back.text,
      });
      parts.push(...(response.ok ? shown(await response.json()) : [problem(`${response.status} ${await response.text()}`)]));
    } else {
      parts.push(problem(`${back.status} ${back.text}`));
    }
    parts.push(make("details", "", make("summary", "そのまま / as it came"), make("pre", back.text)));
    out.replaceChildren(...parts);
  } catch (error) {
    out.replaceChildren(problem(String(error)));
  }
}

function problem(text) {
  const p = make("p", text);
  p.className = "problem";
  p.setAttribute("role", "alert");
  return p;
}

function shown({ spoken, shown, status, problem: broken }) {
  const list = make("ol");
  for (const { face, text } of spoken) {
    const tag = make("code", face);
    tag.className = "face";
    list.append(make("li", "", tag, document.createTextNode(text)));
  }
  return [
    ...(broken === undefined ? [] : [problem(broken)]),
    ...(spoken.length > 0 ? [make("p", "話す / spoken:"), list] : [make("p", "表示 / shown:"), make("pre", shown)]),
    ...(status?.length > 0 ? [make("p", `途中の表示 / meanwhile: ${status.join(" · ")}`)] : []),
  ];
}

function card(client) {
  const table = make("table");
  const host = (text) => text.replaceAll("WSHOST", here.replace(/^http/, "ws")).replaceAll("HOST", here);
  for (const { name, value } of client.settings) {
    table.append(make("tr", "", make("th", name), make("td", "", make("code", host(value)))));
  }
  const out = make("div");
  out.setAttribute("role", "status");
  const button = make("button", "試す / Try");
  button.type = "button";
  button.setAttribute("aria-label", `試す / Try: ${client.name}`);
  button.onclick = async () => {
    button.disabled = true;
    await attempt(client, out);
    button.disabled = false;
  };
  const section = make("section", "", make("h2", client.name), table);
  if (client.note !== undefined) {
    for (const lang of ["ja", "en"]) {
      const p = make("p", client.note[lang]);
      p.lang = lang;
      section.append(p);
    }
  }
  section.append(button, out);
  section.id = client.id;
  return section;
}

document.querySelector("#what").onsubmit = (event) => event.preventDefault();
const clients = await (await fetch("/connect/clients")).json();
document.querySelector("#clients").append(...clients.map(card));
