// Run by the target's own Node, with the flags in build/warm.mjs: serves for real, with two servers and some calls, then
// writes V8's code caches of what ran, of the program and of each library (libraries.mjs). The same program gives the same
// bytes: nothing compiled is thrown away again, one thing is asked after the other, and the caches are taken when
// everything that a start sets off has run.
//   node … build/code-cache.cjs <wrapped bundle> <folder of the caches> <the build's own Node>
const fs = require("node:fs");
const http = require("node:http");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");
const { serveHttp } = require("./warm-upstream.cjs");

/** After the last answer: what starts on a timer has run by then. (ms) */
const SETTLED_MS = 1200;
/** What a new server or a call sets off has run by then. (ms) */
const STEP_MS = 400;
/** Calls of each server. */
const CALLS = 10;

const [, , bundle, out, node] = process.argv;
const LIBRARY = /^library-.*\.cjs$/;
v8.setFlagsFromString("--no-flush-bytecode");
/** The scripts that were loaded, by name. @type {Map<string, vm.Script>} */
const scripts = new Map();
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.set(options.filename, this);
  }
};
// The name is given as it is: V8 would keep the path that it was cut out of.
const load = (folder, filename) =>
  new vm.Script(fs.readFileSync(path.join(folder, filename), "latin1"), {
    filename,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "proxy-cache-"));
const file = path.resolve(bundle);
const script = load(path.dirname(file), "proxy.cjs");
process.argv = [process.execPath, file, "serve", "--listen", "127.0.0.1:0", "--data-dir", dir, "--log-level", "error"];
// What it says at its start is for people.
process.stderr.write = () => true;
const module_ = { exports: {} };
script.runInThisContext()(createRequire(file), module_, module_.exports, file, path.dirname(file));

const socketPath = path.join(dir, "mcpproxy.sock");
const config = path.join(dir, "mcp_config.json");
const ask = (method, target, body) =>
  new Promise((done, fail) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const req = http.request({ socketPath, method, path: target, headers }, (res) => {
      let text = "";
      res.on("data", (chunk) => {
        text += chunk;
      });
      res.on("end", () => done(text));
    });
    req.on("error", fail).end(body && JSON.stringify(body));
  });
const rpc = (method, params, target = "/mcp") => ask("POST", target, { jsonrpc: "2.0", id: 1, method, params });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Adds a server, waits for its tools and calls one. */
async function useServer(name, server) {
  await ask("POST", "/api/v1/servers", { name, ...server, enabled: true, quarantined: false, trust_mode: "auto" });
  // A request while the server is connecting would run between its steps, at another place each time.
  for (let i = 0, listed = false; !listed; i++) {
    if (i > 100) throw new Error(`the program did not list the tools of ${name}`);
    await sleep(STEP_MS);
    const { data } = JSON.parse(await ask("GET", "/api/v1/servers"));
    listed = data.servers.some((one) => one.name === name && one.tool_count > 0);
  }
  for (let i = 0; i < CALLS; i++) {
    const text = await rpc("tools/call", { name: `${name}__echo`, arguments: { text: "hello" } }, "/mcp/all");
    if (!text.includes("hello")) throw new Error(`${name} was not called: ${text}`);
  }
  await sleep(STEP_MS);
}

(async () => {
  for (let i = 0; !fs.existsSync(socketPath); i++) {
    if (i > 600) throw new Error("the program did not start serving");
    await sleep(50);
  }
  const client = { name: "warm", version: "1" };
  await ask("GET", "/healthz");
  await ask("GET", "/api/v1/status");
  await ask("GET", "/api/v1/servers");
  await rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client });
  await rpc("tools/list", {});
  await rpc("tools/call", { name: "retrieve_tools", arguments: { query: "read a file" } });
  await useServer("http", { protocol: "streamable-http", url: await serveHttp() });
  await useServer("stdio", { command: node, args: [path.join(__dirname, "warm-upstream.cjs")] });
  // Whether it still hears of its own first write is a matter of luck; of this one it hears.
  fs.writeFileSync(config, fs.readFileSync(config));
  await sleep(SETTLED_MS);
  // V8 refuses a cache made under other flags than it is read under; at 0 these two are as if never given.
  for (const flag of ["--flush-bytecode", "--initial-heap-size=0", "--min-semi-space-size=0"])
    v8.setFlagsFromString(flag);
  const assets = path.join(path.dirname(bundle), "assets");
  // Of a library that was not loaded, V8 keeps which functions there are.
  for (const name of fs.readdirSync(assets).sort()) if (LIBRARY.test(name) && !scripts.has(name)) load(assets, name);
  for (const [name, one] of scripts)
    fs.writeFileSync(path.join(out, name.replace(/cjs$/, "cache")), one.createCachedData());
  fs.rmSync(dir, { recursive: true, force: true });
  process.exit(0);
})().catch((e) => {
  fs.writeSync(2, `${e.stack}\n`);
  process.exit(1);
});
