/** A collector that accepts everything and keeps nothing. Prints its address; GET tells how many messages came. */
import { createServer } from "node:http";

let messages = 0;
const server = createServer((request, response) => {
  if (request.method === "POST") messages++;
  const text = request.method === "POST" ? "{}" : JSON.stringify({ messages });
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(text));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
