import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/kit/free-port.ts";
import { httpServer, KEY, PLAIN_ENV, type Stop, startProgram } from "./programs.ts";

const RUNS = 9;
const POLL_MS = 3;

/**
 * The time from the start of the proxy to the first answer of a tool, beside that of the byte relay: the best of
 * alternating runs each, in which other work on the machine shows least.
 */
export async function measureFirstCall(program: readonly string[], node: string): Promise<number> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  const best = { proxy: Number.POSITIVE_INFINITY, relay: Number.POSITIVE_INFINITY };
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0", "--era", "modern"], stop);
    const port = await freePort();
    const config = { listen: `127.0.0.1:${port}`, api_key: KEY, enable_socket: false };
    const servers = [httpServer("http", upstream.url)];
    writeFileSync(join(dir, "mcp_config.json"), JSON.stringify({ ...config, mcpServers: servers }), { mode: 0o600 });
    const proxy = [...program, "serve", "--data-dir", dir, "--log-level", "error"];
    const relay = [node, "test/bench/relays/bare.mjs", "--upstream", upstream.url];
    for (let i = 0; i <= RUNS; i++) {
      const [ours, theirs] = [
        await answered(proxy, "http__echo", () => `http://127.0.0.1:${port}/mcp/all`),
        await answered(relay, "echo", (printed) => /http:[^"]+/.exec(printed)?.[0]),
      ];
      // The first run makes the database.
      if (i > 0) Object.assign(best, { proxy: Math.min(best.proxy, ours), relay: Math.min(best.relay, theirs) });
    }
    return Math.round((best.proxy / best.relay) * 100) / 100;
  } finally {
    for (const end of stop) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function answered(
  [command = "", ...args]: string[],
  tool: string,
  urlOf: (printed: string) => string | undefined,
): Promise<number> {
  const from = performance.now();
  const child: ChildProcess = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"], env: PLAIN_ENV });
  const gone = new Promise((done) => child.once("exit", done));
  let printed = "";
  child.stdout!.on("data", (chunk) => {
    printed += chunk;
  });
  try {
    for (;;) {
      const url = urlOf(printed);
      if (url && (await calls(url, tool))) return performance.now() - from;
      if (child.exitCode !== null) throw new Error(`${command} ended`);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}

/** A call with the protocol that needs no session: one request. */
function calls(url: string, tool: string): Promise<boolean> {
  const version = "2026-07-28";
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: tool,
      arguments: { message: "hello" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "application/json, text/event-stream",
    "x-api-key": KEY,
    "mcp-protocol-version": version,
    "mcp-method": "tools/call",
    "mcp-name": tool,
  };
  return new Promise((done) => {
    const req = request(url, { method: "POST", headers, agent: false }, (res) => {
      let text = "";
      res.on("data", (chunk) => {
        text += chunk;
      });
      res.on("end", () => done(text.includes('"result"') && !text.includes('"isError":true')));
    });
    req.on("error", () => done(false));
    req.end(body);
  });
}
