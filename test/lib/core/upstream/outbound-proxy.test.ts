import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";
import { type ForwardProxyOptions, forwardProxy } from "#test/kit/forward-proxy.ts";
import { folder } from "#test/kit/program.ts";
import { httpsFront } from "#test/kit/tls.ts";
import { callTool, startProgram, stdioServer, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

/** `mcp.test` is a server that only the proxy can find; `secure.test` is the same one by https. */
async function scene(t: TestContext, more: Omit<ForwardProxyOptions, "hosts"> = {}, user = "") {
  const { url, kill } = await startProgram("upstream-http.mjs");
  t.after(kill);
  const port = Number(new URL(url).port);
  const { port: secure, authority } = await httpsFront(t, port, "secure.test");
  const proxy = await forwardProxy(t, { hosts: { "mcp.test": port, "secure.test": secure }, ...more });
  const address = `http://${user}127.0.0.1:${proxy.port}`;
  return { proxy, authority, env: { HTTP_PROXY: address, HTTPS_PROXY: address } };
}

const server = (url: string) => ({ name: "far", url, protocol: "streamable-http" as const });

async function failureOf(t: TestContext, url: string, env: Record<string, string>): Promise<ConnectionStatus> {
  const all = testUpstreams({ servers: [server(url)], env });
  t.after(all.close);
  await until("the failure", () => all.upstream("far").status().lastError !== undefined);
  return all.upstream("far").status();
}

const failure = async (...where: Parameters<typeof failureOf>) => (await failureOf(...where)).lastError!;

for (const [url, asked] of [
  ["http://mcp.test/mcp", /^POST http:\/\/mcp\.test\/mcp$/],
  ["https://secure.test/mcp", /^CONNECT secure\.test:443$/],
] as const)
  test(`${url} is reached by the proxy of the environment, whose password is shown to it alone`, async (t) => {
    const { proxy, env, authority } = await scene(t, { password: "me:pr0xy-secret" }, "me:pr0xy-secret@");
    const all = testUpstreams({ servers: [server(url)], env: { ...env, SSL_CERT_FILE: authority } });
    t.after(all.close);
    await until("ready", () => all.upstream("far").status().state === "Ready");

    assert.equal(textOf(await callTool(all.upstream("far"), "echo", { a: 1 })), '{"a":1}');

    assert.match(proxy.seen[0]!, asked);
    assert.doesNotMatch(JSON.stringify([all.logLines, all.serverLines]), /pr0xy-secret/);
  });

test("what is in NO_PROXY, and this machine, is reached directly", async (t) => {
  const { proxy, env } = await scene(t);
  const { url, kill } = await startProgram("upstream-http.mjs");
  t.after(kill);
  const all = testUpstreams({ servers: [server(url)], env });
  t.after(all.close);
  await until("ready", () => all.upstream("far").status().state === "Ready");

  const excluded = await failure(t, "http://mcp.test/mcp", { ...env, NO_PROXY: "test" });

  assert.match(excluded, /mcp\.test/);
  assert.deepEqual(proxy.seen, []);
});

test("a failure says whether the proxy or what lies behind it is at fault, and what to do", async (t) => {
  const { env } = await scene(t, { password: "me:right" }, "me:wr0ng-secret@");
  const closed = { HTTPS_PROXY: "http://me:wr0ng-secret@127.0.0.1:9" };
  const refusing = await scene(t, { refuse: 403 });
  const trusting = await scene(t);
  const rows: [what: string, env: Record<string, string>, words: RegExp][] = [
    [
      "a wrong password",
      env,
      /the proxy http:\/\/127\.0\.0\.1:\d+ requires a password \(HTTP 407\): set HTTPS_PROXY as/,
    ],
    ["a proxy that is down", closed, /no program listens at the proxy http:\/\/127\.0\.0\.1:9 \(HTTPS_PROXY\)/],
    ["a proxy that refuses", refusing.env, /rejects the connection to secure\.test \(HTTP 403\).*NO_PROXY/],
    [
      "an unknown authority",
      trusting.env,
      /certificate of secure\.test is signed by an authority that this machine does not trust .*SSL_CERT_FILE or NODE_EXTRA_CA_CERTS/,
    ],
  ];

  for (const [what, around, words] of rows) {
    const { lastError = "", certificateFault } = await failureOf(t, "https://secure.test/mcp", around);
    assert.match(lastError, words, what);
    assert.doesNotMatch(lastError, /wr0ng-secret/);
    assert.equal(certificateFault, what === "an unknown authority" ? "authority" : undefined, what);
  }
  assert.match(await failure(t, "http://mcp.test/mcp", env), /requires a password \(HTTP 407\): set HTTP_PROXY as/);
});

test("a child is told of the machine's authorities and proxy, and a proxy's password that it repeats is masked", async (t) => {
  const env = {
    PATH: process.env.PATH,
    SSL_CERT_FILE: "/etc/corp.pem",
    REQUESTS_CA_BUNDLE: "/etc/corp.pem",
    https_proxy: "http://me:pr0xy-secret@proxy.corp:3128",
    NO_PROXY: "corp",
    AWS_SECRET_ACCESS_KEY: "no",
  };
  const says = `process.stderr.write("curl failed with pr0xy-secret, invalid peer certificate: UnknownIssuer\\n");
    require("child_process").spawn(process.execPath, ["test/programs/upstream-stdio.mjs"], { stdio: "inherit" });`;
  const one = { ...stdioServer("one"), args: ["-e", says] };
  const all = testUpstreams({ servers: [one], env });
  t.after(all.close);
  await until("ready", () => all.upstream("one").status().state === "Ready");

  const { env: inside } = JSON.parse(textOf(await callTool(all.upstream("one"), "environment")));

  const { PATH, AWS_SECRET_ACCESS_KEY, ...passed } = env;
  assert.deepEqual({ ...inside, ...passed }, inside);
  assert.ok(!("AWS_SECRET_ACCESS_KEY" in inside));
  assert.match(all.upstream("one").status().badCertificate!.line, /UnknownIssuer/);
  assert.match(JSON.stringify(all.serverLines), /curl failed with •/);
  assert.doesNotMatch(JSON.stringify([all.serverLines, all.upstream("one").status()]), /pr0xy-secret/);
});

test("a certificate that a program rejected stays reported while the program is started again", async (t) => {
  const ran = join(folder(t), "ran");
  // The first attempt starts two processes: the probe of the newest protocol version ends one.
  const says = `const { appendFileSync, readFileSync } = require("fs");
    appendFileSync(${JSON.stringify(ran)}, "x");
    if (readFileSync(${JSON.stringify(ran)}, "utf8").length > 2) setInterval(() => {}, 1000);
    else process.stderr.write("unable to verify the first certificate\\n", () => process.exit(1));`;
  const all = testUpstreams({ servers: [{ ...stdioServer("one"), args: ["-e", says] }] });
  t.after(all.close);
  const status = () => all.upstream("one").status();

  await until("the second attempt", () => status().state === "Connecting" && status().attempts > 0);

  assert.equal(status().badCertificate?.fault, "authority");
});
