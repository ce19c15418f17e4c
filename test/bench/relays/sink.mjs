/** A collector that accepts everything and keeps nothing. Prints its address. */
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
