import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { test } from "node:test";
import { freeAddress } from "#cli/demo.ts";
import { greeting } from "#cli/greeting.ts";
import { commandsAs, executableName, selfName, selfWith } from "#cli/self.ts";

const boot = { version: "1.2.3", listenAddr: "127.0.0.1:8080", socketPath: "/d/mcpproxy.sock", dataDir: "/d" };

test("the greeting of a demo holds addresses and commands that work as they stand", () => {
  const text = greeting({
    boot,
    configPath: "/d/mcp_config.json",
    name: "node dist/proxy.cjs",
    servers: ["demo"],
    demo: true,
  });

  assert.match(text, /MCP endpoint +http:\/\/127\.0\.0\.1:8080\/mcp\n/);
  assert.match(
    text,
    /control panel +http:\/\/127\.0\.0\.1:8080\/ui\/, sign in with: node dist\/proxy\.cjs -d \/d ui\n/,
  );
  assert.match(text, /API key +"api_key" in \/d\/mcp_config\.json/);
  assert.match(text, /~\/\.mcpproxy is not used/);
  assert.match(text, /node dist\/proxy\.cjs -d \/d call demo:calculator 'expression=6 \* 7'/);
  assert.match(text, /curl -s --unix-socket \/d\/mcpproxy\.sock http:\/\/localhost\/api\/v1\/status/);
  assert.match(text, /node dist\/proxy\.cjs -d \/d connect add cursor\n/);
  assert.match(text, /claude mcp add --transport http mcpproxy http:\/\/127\.0\.0\.1:8080\/mcp/);
});

test("on Windows the greeting proposes no curl command for the named pipe", () => {
  const windows = { ...boot, socketPath: "\\\\.\\pipe\\mcpproxy-1" };
  const text = greeting({ boot: windows, configPath: "/c", name: "proxy", servers: ["demo"], demo: true });

  assert.doesNotMatch(text, /--unix-socket/);
  assert.match(text, /curl -s http:\/\/127\.0\.0\.1:8080\/api\/v1\/status/);
});

test("without an address the greeting offers none", () => {
  const text = greeting({
    boot: { ...boot, listenAddr: "" },
    configPath: "/c",
    name: "proxy",
    servers: [],
    demo: false,
  });

  assert.match(text, /MCP endpoint +standard input and output\n/);
  assert.doesNotMatch(text, /http:|API key|Try next/);
});

test("a folder with spaces is quoted, and the usual one is not named", () => {
  const at = (dataDir: string) =>
    greeting({ boot: { ...boot, dataDir }, configPath: "/c", name: "proxy", servers: [], demo: false });

  assert.match(at("/it's here"), /proxy -d '\/it'\\''s here' status/);
  assert.match(at("/home/ada/.mcpproxy"), /\n {2}proxy status/);
});

test("a listener on every address is shown by one a client can use", () => {
  const at = (listenAddr: string) =>
    greeting({ boot: { ...boot, listenAddr }, configPath: "/c", name: "proxy", servers: [], demo: false });

  assert.match(at("0.0.0.0:9000"), /http:\/\/127\.0\.0\.1:9000\/mcp/);
  assert.match(at("[::]:9000"), /http:\/\/127\.0\.0\.1:9000\/mcp/);
});

test("a demo takes the usual port when it is free and any other when it is not", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;

  assert.equal(await freeAddress({ host: "127.0.0.1", port }), "127.0.0.1:0");
  await new Promise((done) => taken.close(done));
  assert.equal(await freeAddress({ host: "127.0.0.1", port }), `127.0.0.1:${port}`);
});

test("from source the program is called by its file, near where one stands", () => {
  assert.equal(selfName("/src/dist/proxy.cjs", "/src"), "node dist/proxy.cjs");
  assert.equal(selfName("/src/dist/proxy.cjs", "/elsewhere"), "node /src/dist/proxy.cjs");
  assert.equal(selfName("/usr/bin/proxy", "/"), "proxy");
});

test("an executable is called as it was typed: by its file, or by its name where it was found on the path", () => {
  assert.equal(executableName("./proxy"), "./proxy");
  assert.equal(executableName("/opt/my tools/proxy"), "'/opt/my tools/proxy'");
  assert.equal(executableName("proxy"), "proxy");
});

test("commands within a text are written as they are typed here; the program's name alone is not", () => {
  const told = "see: proxy status, or `proxy doctor`; a proxy of your own; the file: proxy.json";
  assert.equal(
    commandsAs("./proxy -d /x", told),
    "see: ./proxy -d /x status, or `./proxy -d /x doctor`; a proxy of your own; the file: proxy.json",
  );
  assert.equal(commandsAs("./proxy", "proxy upstream logs git"), "./proxy upstream logs git");
});

test("what is printed to be typed says which proxy is meant", () => {
  assert.equal(selfWith({}, "proxy"), "proxy");
  assert.equal(selfWith({ dataDir: "/my data", url: "http://h:1" }, "proxy"), "proxy -d '/my data' --url http://h:1");
});
