import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findProxy } from "#lib/client/find-proxy.ts";

function folder(t: TestContext, config?: Record<string, unknown>): string {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  if (config) writeFileSync(join(dir, "mcp_config.json"), JSON.stringify(config));
  return dir;
}
const shown = (to: ReturnType<typeof findProxy>) => ("url" in to ? { ...to, url: to.url.href } : to);

test("without a word the proxy is looked for at the socket of the data directory", (t) => {
  const dataDir = folder(t);

  assert.deepEqual(findProxy({ dataDir, env: {} }), { socketPath: join(dataDir, "mcpproxy.sock") });
  assert.deepEqual(findProxy({ env: { SERVICE_DATA: dataDir } }), { socketPath: join(dataDir, "mcpproxy.sock") });
  assert.deepEqual(findProxy({ env: { HOME: dataDir } }), { socketPath: join(dataDir, ".mcpproxy", "mcpproxy.sock") });
});

test("the data directory named in the configuration file counts", (t) => {
  const dir = folder(t, { data_dir: "state" });

  assert.deepEqual(findProxy({ config: join(dir, "mcp_config.json"), env: {} }), {
    socketPath: join(dir, "state", "mcpproxy.sock"),
  });
});

test("a url is asked with the key from flag, environment, or, on this machine only, the file", (t) => {
  const dataDir = folder(t, { api_key: "from-file" });
  const at = (url: string, more: { apiKey?: string; env?: Record<string, string> } = {}) =>
    shown(findProxy({ url, dataDir, env: {}, ...more }));

  assert.deepEqual(at("http://127.0.0.1:9"), { url: "http://127.0.0.1:9/", key: "from-file" });
  assert.deepEqual(at("http://[::1]:9"), { url: "http://[::1]:9/", key: "from-file" });
  assert.deepEqual(at("http://proxy.example"), { url: "http://proxy.example/" });
  assert.deepEqual(at("http://proxy.example", { apiKey: "k" }), { url: "http://proxy.example/", key: "k" });
  assert.deepEqual(at("http://proxy.example", { env: { SERVICE_API_KEY: "e" } }), {
    url: "http://proxy.example/",
    key: "e",
  });
  assert.deepEqual(shown(findProxy({ dataDir, env: { SERVICE_URL: "http://localhost:1" } })), {
    url: "http://localhost:1/",
    key: "from-file",
  });
});

test("what is no http url is refused with its form", () => {
  for (const url of ["localhost:8080", "ftp://x", "nonsense"])
    assert.throws(() => findProxy({ url, env: {} }), {
      code: "invalid_args",
      message: /use the form http:\/\/host:port/,
    });
});

const LISTENS: [listen: string | undefined, url: string][] = [
  [undefined, "http://127.0.0.1:8080/"],
  [":9000", "http://localhost:9000/"],
  ["0.0.0.0:9000", "http://127.0.0.1:9000/"],
  ["[::]:9000", "http://127.0.0.1:9000/"],
  ["[::1]:9000", "http://[::1]:9000/"],
  ["192.168.1.2:9000", "http://192.168.1.2:9000/"],
];
for (const [listen, url] of LISTENS)
  test(`with the socket switched off, listen ${listen ?? "unset"} is asked at ${url}`, (t) => {
    const dataDir = folder(t, { enable_socket: false, api_key: "k", ...(listen && { listen }) });

    assert.deepEqual(shown(findProxy({ dataDir, env: {} })), { url, key: "k" });
  });

test("a broken configuration file does not keep the socket from being found", (t) => {
  const dataDir = folder(t);
  writeFileSync(join(dataDir, "mcp_config.json"), "{nonsense");

  assert.deepEqual(findProxy({ dataDir, env: {} }), { socketPath: join(dataDir, "mcpproxy.sock") });
});

const trust = (dir: string) => ({
  ca: { path: join(dir, "ca.pem") },
  cert: { path: join(dir, "clients/cli.pem") },
  key: { path: join(dir, "clients/cli-key.pem") },
});

test("by https the authority of the data directory is believed, wherever its certificates lie", (t) => {
  const usual = folder(t, { api_key: "k" });
  const elsewhere = folder(t, { api_key: "k", tls: { certs_dir: "keys" } });
  const at = (dataDir: string, env = {}) => shown(findProxy({ url: "https://localhost:1", dataDir, env }));

  assert.deepEqual(at(usual), { url: "https://localhost:1/", key: "k", trust: trust(join(usual, "certs")) });
  assert.deepEqual(at(elsewhere), { url: "https://localhost:1/", key: "k", trust: trust(join(elsewhere, "keys")) });
  assert.deepEqual(at(elsewhere, { SERVICE_CERTS_DIR: "/c" }), {
    url: "https://localhost:1/",
    key: "k",
    trust: trust("/c"),
  });
});

test("files that the environment names are the ones that count", (t) => {
  const env = { SERVICE_CA_CERT: "/a.pem", SERVICE_CLIENT_CERT: "/c.pem", SERVICE_CLIENT_KEY: "/k.pem" };

  const to = findProxy({ url: "https://localhost:1", dataDir: folder(t), env });

  assert.deepEqual("trust" in to && to.trust, {
    ca: { path: "/a.pem", named: "SERVICE_CA_CERT" },
    cert: { path: "/c.pem", named: "SERVICE_CLIENT_CERT" },
    key: { path: "/k.pem", named: "SERVICE_CLIENT_KEY" },
  });
});

test("with the socket switched off a listener that speaks TLS is asked by https", (t) => {
  const dataDir = folder(t, { enable_socket: false, tls: { enabled: true } });
  const plain = folder(t, { enable_socket: false });
  const at = (dir: string, env = {}) => {
    const to = findProxy({ dataDir: dir, env });
    return "url" in to && to.url.href;
  };

  assert.equal(at(dataDir), "https://127.0.0.1:8080/");
  assert.equal(at(dataDir, { SERVICE_TLS_ENABLED: "false" }), "http://127.0.0.1:8080/");
  assert.equal(at(plain, { SERVICE_TLS_ENABLED: "1" }), "https://127.0.0.1:8080/");
});
