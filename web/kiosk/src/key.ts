// The key that a server asks for, from the address that the operator opened the kiosk with: /kiosk#key=KEY. What follows # reaches no server and no log;
// it is taken out of the address at once, and lives as long as the tab does.

const name = "annai-key";

function takeKey(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given !== null) {
    sessionStorage.setItem(name, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(name);
}

const key = takeKey();

/** The name of this kiosk, ?device=; empty where it has none. */
export const device = /^[\w.-]{1,40}$/.exec(new URLSearchParams(location.search).get("device") ?? "")?.[0] ?? "";

/** The headers that every request has. */
export const credentials: Record<string, string> = {
  ...(key !== null && { Authorization: `Bearer ${key}` }),
  ...(device !== "" && { "X-Device": device }),
};
