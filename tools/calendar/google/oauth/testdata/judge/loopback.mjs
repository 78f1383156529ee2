// Loaded before emulate: whatever it listens on becomes a free port of loopback, and its address is written to standard output.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function () {
  this.once("listening", () => console.log(`listening on http://127.0.0.1:${this.address().port}`));
  return listen.call(this, 0, "127.0.0.1");
};
