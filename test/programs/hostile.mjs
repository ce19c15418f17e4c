// An MCP server over standard streams that tries what it should not: reading, writing, connecting, forking, using up
// memory. Each tool returns the outcome. With `--stay` it ends neither with its input nor on SIGTERM.
import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const TOOLS = {
  list: ({ path }) => readdirSync(path).join(" "),
  read: ({ path }) => readFileSync(path, "utf8"),
  write: ({ path }) => {
    writeFileSync(path, "was here");
    return "written";
  },
  // Whether it could write, without writing, because kernel settings affect the complete machine.
  open: ({ path }) => {
    closeSync(openSync(path, "r+"));
    return "opened";
  },
  reach: ({ host, port }) =>
    new Promise((done, fail) => {
      const socket = connect({ host, port, timeout: 3000 }, () => {
        socket.destroy();
        done("reached");
      });
      socket.on("timeout", () => socket.destroy(new Error("ETIMEDOUT")));
      socket.on("error", fail);
    }),
  // The children start nothing: the test is how many are allowed.
  multiply: async ({ times }) => {
    const started = await Promise.all(
      Array.from(
        { length: times },
        () =>
          new Promise((done) => {
            try {
              const child = spawn("/bin/sleep", ["30"], { stdio: "ignore" });
              child.on("spawn", () => done(child));
              child.on("error", () => done(undefined));
            } catch {
              done(undefined);
            }
          }),
      ),
    );
    const running = started.filter(Boolean);
    for (const child of running) child.kill("SIGKILL");
    return String(running.length);
  },
  eat: ({ megabytes }) => {
    const kept = [];
    for (let i = 0; i < megabytes; i++) kept.push(Buffer.alloc(1 << 20, 1));
    return `ate ${kept.length}`;
  },
  tell: () =>
    JSON.stringify({
      env: process.env,
      cwd: process.cwd(),
      uid: process.getuid(),
      caps: /CapEff:\s*(\w+)/.exec(readFileSync("/proc/self/status", "utf8"))[1],
      noNewPrivileges: /NoNewPrivs:\s*(\d)/.exec(readFileSync("/proc/self/status", "utf8"))[1],
      processes: readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length,
    }),
};

const schema = { type: "object" };
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "hostile", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: schema })) }),
  "tools/call": async ({ name, arguments: args }) => {
    try {
      return { content: [{ type: "text", text: await TOOLS[name](args ?? {}) }] };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: error.code ?? String(error) }] };
    }
  },
};

if (process.argv.includes("--stay")) {
  setInterval(() => {}, 1 << 30);
  process.on("SIGTERM", () => {});
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = await METHODS[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
