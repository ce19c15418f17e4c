// The cheapest relay Node can be: an HTTP reverse proxy that moves bytes and reads no message.
//   node test/bench/relays/bare.mjs --upstream http://127.0.0.1:9100/mcp   → prints {"url":…}
import http from "node:http";
import { parseArgs } from "node:util";
import { Pool } from "undici";

const { upstream } = parseArgs({ options: { upstream: { type: "string" } } }).values;
const target = new URL(upstream);
const pool = new Pool(target.origin, { connections: 128, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "host", "upgrade", "te", "trailer", "expect"]);
const server = http.createServer((req, res) => {
  const headers = {};
  for (const name in req.headers) if (!HOP.has(name)) headers[name] = req.headers[name];
  let controller;
  res.on("close", () => {
    if (!res.writableEnded) controller?.abort(new Error("client closed"));
  });
  pool.dispatch(
    { method: req.method, path: target.pathname, headers, body: req.method === "POST" ? req : undefined },
    {
      onRequestStart: (c) => {
        controller = c;
      },
      onResponseStart: (_c, status, answer) => {
        for (const name of HOP) delete answer[name];
        res.writeHead(status, answer);
      },
      onResponseData: (_c, chunk) => void res.write(chunk),
      onResponseEnd: () => void res.end(),
      onResponseError: (_c, error) => {
        if (res.headersSent) res.destroy();
        else res.writeHead(502).end(String(error.message));
      },
    },
  );
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` })),
);
