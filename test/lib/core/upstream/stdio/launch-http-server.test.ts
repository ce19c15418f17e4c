import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { withApp } from "#test/kit/app.ts";
import { freePort } from "#test/kit/free-port.ts";
import { callTool, type TestUpstreams, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

/** Far more than a busy machine needs. (ms) */
const PATIENCE_MS = 60_000;

/** A program of this machine that is spoken to by HTTP. */
async function launcher(name: string, more: Partial<ServerConfig> = {}, program = "upstream-http.mjs") {
  const port = await freePort();
  const path = program.includes("sse") ? "sse" : "mcp";
  return {
    name,
    url: `http://127.0.0.1:${port}/${path}`,
    command: process.execPath,
    args: [`test/programs/${program}`, "--port", String(port), "--name", name],
    launcher_wait_timeout: "2m",
    init_timeout: "2m",
    ...more,
  };
}

function open(t: TestContext, servers: Awaited<ReturnType<typeof launcher>>[], more = {}): TestUpstreams {
  const all = testUpstreams({ servers, ...more });
  t.after(() => all.close());
  return all;
}

const ready = (all: TestUpstreams, name: string) => all.upstream(name).ensureReady(PATIENCE_MS);

function alive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}

for (const [title, program, protocol] of [
  ["streamable HTTP", "upstream-http.mjs", undefined],
  ["streamable HTTP that is said", "upstream-http.mjs", "streamable-http"],
  ["the older SSE, found by itself", "upstream-sse.mjs", "http"],
  ["the older SSE that is said", "upstream-sse.mjs", "sse"],
] as const)
  test(`a command with a url is started, waited for, and spoken to by ${title}`, async (t) => {
    const all = open(t, [await launcher("notes", protocol ? { protocol } : {}, program)]);

    await ready(all, "notes");
    const answer = await callTool(all.upstream("notes"), "echo", { text: "hello" });

    assert.match(textOf(answer), /hello/);
    const { state, pid } = all.upstream("notes").status();
    assert.equal(state, "Ready");
    assert.ok(alive(pid));
    await until("its tools", () => all.accepted.has("notes"), PATIENCE_MS);
    assert.ok(all.serverLines.some((line) => line.startsWith('notes info stdout: {"url":')));
  });

test("it is ended with its connection", async (t) => {
  const all = open(t, [await launcher("notes")]);
  await ready(all, "notes");
  const { pid } = all.upstream("notes").status();

  all.edit("notes", (server) => {
    server.enabled = false;
  });

  await until("its end", () => !alive(pid), PATIENCE_MS);
  assert.equal(all.upstream("notes").status().pid, undefined);
});

test("when its process ends it is started anew, with what it said last as the reason", async (t) => {
  const all = open(t, [await launcher("notes")]);
  await ready(all, "notes");
  const { pid } = all.upstream("notes").status();

  process.kill(pid!, "SIGKILL");
  await until("another process", () => (all.upstream("notes").status().pid ?? pid) !== pid, PATIENCE_MS);

  assert.match(textOf(await callTool(all.upstream("notes"), "echo", { text: "again" })), /again/);
  assert.ok(all.serverLines.some((line) => /notes error Error: its process was ended by SIGKILL/.test(line)));
  assert.equal(all.upstream("notes").status().reconnects, 1);
});

test("another address or command ends the old process and starts the new one", async (t) => {
  const first = await launcher("notes");
  const all = open(t, [first]);
  await ready(all, "notes");
  const { pid } = all.upstream("notes").status();
  const other = await launcher("notes");

  all.edit("notes", (server) => {
    server.url = other.url;
    server.args = other.args;
  });

  await until(
    "the new one",
    () => {
      const now = all.upstream("notes").status();
      return now.state === "Ready" && now.pid !== pid;
    },
    PATIENCE_MS,
  );
  assert.ok(!alive(pid));
});

test("its variables, folder and arguments are its own, with references replaced and masked", async (t) => {
  const code = "console.log('token', process.env.TOKEN, process.argv[1]); process.exit(3)";
  const server = await launcher("notes", { args: ["-e", code, "${keyring:word}"], env: { TOKEN: "${keyring:token}" } });
  const all = open(t, [server], { secrets: { "keyring:token": "s3cret-value", "keyring:word": "other-value" } });

  await assert.rejects(ready(all, "notes"), /its process exited with code 3/);

  assert.ok(
    all.serverLines.includes("notes info stdout: token ••••ue (12 chars) ••••ue (11 chars)"),
    all.serverLines.join("\n"),
  );
});

test("one that ends before it listens says why, at once", async (t) => {
  const server = await launcher("notes", { args: ["-e", "console.error('no database'); process.exit(7)"] });
  const all = open(t, [server]);

  await assert.rejects(ready(all, "notes"), /its process exited with code 7: no database/);
});

test("one that does not listen in time is ended", async (t) => {
  const idle = {
    args: ["-e", "setInterval(() => {}, 1e9); console.error('pid', process.pid)"],
    launcher_wait_timeout: "1s",
  };
  const all = open(t, [await launcher("notes", idle)]);

  await assert.rejects(
    ready(all, "notes"),
    /did not listen at 127\.0\.0\.1:\d+ within 1 s; if it needs longer, raise launcher_wait_timeout/,
  );

  const said = () => all.serverLines.join("\n").match(/stderr: pid (\d+)/)?.[1];
  const pid = said();
  if (pid !== undefined) await until("its end", () => !alive(Number(pid)), PATIENCE_MS);
});

test("what listens there already is not spoken to, and nothing is started beside it", async (t) => {
  let asked = 0;
  const stranger = createServer((_, res) => {
    asked++;
    res.end();
  });
  await new Promise<void>((done) => stranger.listen(0, "127.0.0.1", done));
  t.after(() => stranger.close());
  const { port } = stranger.address() as { port: number };
  const server = {
    ...(await launcher("notes")),
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { Authorization: "Bearer x" },
  };
  const all = open(t, [server]);

  await assert.rejects(
    ready(all, "notes"),
    /another program already listens at 127\.0\.0\.1:\d+, so its command was not started/,
  );

  assert.equal(asked, 0);
  assert.ok(!all.serverLines.some((line) => line.includes("stdout:")));
});

test("an address elsewhere is refused before anything is started", async (t) => {
  const all = open(t, [{ ...(await launcher("notes")), url: "http://192.0.2.1:9/mcp" }]);

  await assert.rejects(ready(all, "notes"), /its url must lead to this machine .* not to 192\.0\.2\.1:9/);
});

test("protocol stdio says that the url means nothing", async (t) => {
  const server = await launcher("notes", { protocol: "stdio", args: ["test/programs/upstream-stdio.mjs"] });
  const all = open(t, [{ ...server, url: "http://192.0.2.1:9/mcp" }]);

  await ready(all, "notes");

  assert.match(textOf(await callTool(all.upstream("notes"), "echo", { text: "by pipe" })), /by pipe/);
});

for (const [mode, word] of [
  ["docker", "container"],
  ["sandbox", "sandbox"],
] as const)
  test(`kept apart in a ${word} it shares the network, or is told to`, async () => {
    const server = await launcher("notes", { enabled: true });
    const config = { docker_isolation: { enabled: true, mode } };
    await withApp({ servers: [server], config }, async (app) => {
      await assert.rejects(
        app.upstreams.get("notes")!.ensureReady(PATIENCE_MS),
        new RegExp(
          `which it cannot open from a ${word} of its own; let it share the network \\(isolation\\.network_mode: host\\)`,
        ),
      );
    });
  });
