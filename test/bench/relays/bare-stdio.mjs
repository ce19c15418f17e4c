// The cheapest relay from HTTP to a child's pipes: ids rewritten, nothing checked.
//   node test/bench/relays/bare-stdio.mjs -- node server.mjs   → prints {"url":…}
import { spawn } from "node:child_process";
import http from "node:http";

const [command, ...args] = process.argv.slice(process.argv.indexOf("--") + 1);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
const waiting = new Map();
let next = 1;
let rest = "";
child.stdout.setEncoding("utf8").on("data", (chunk) => {
  rest += chunk;
  for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
    const message = JSON.parse(rest.slice(0, end));
    rest = rest.slice(end + 1);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  }
});
const ask = (message) =>
  new Promise((done) => {
    const id = next++;
    waiting.set(id, done);
    child.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
  });
const server = http.createServer((req, res) => {
  const chunks = [];
  req
    .on("data", (c) => chunks.push(c))
    .on("end", async () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.id === undefined) {
        child.stdin.write(`${JSON.stringify(message)}\n`);
        return res.writeHead(202).end();
      }
      const answer = Buffer.from(JSON.stringify({ ...(await ask(message)), id: message.id }));
      res.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer);
    });
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` })),
);
process.on("SIGTERM", () => {
  child.kill();
  process.exit(0);
});
