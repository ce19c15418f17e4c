import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifies } from "#test/kit/verifies.ts";
import { folder, opened } from "./opened.ts";

const posix = process.platform !== "win32";
const root = process.geteuid?.() === 0;
/** The id of a user without rights of its own. */
const NOBODY = 65534;

test("the first start makes folder, file and a key of 64 hex digits, and logs the key once (spec 000 §5 item 1)", async (t) => {
  const dir = join(folder(), "new", "folder");

  const first = await opened(t, undefined, { dir });

  const key = first.config.current().api_key ?? "";
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(
    first.read(),
    `{\n  "$schema": "./mcp_config.schema.json",\n  "api_key": "${key}",\n  "mcpServers": []\n}\n`,
  );
  assert.equal(first.config.dataDir, dir);
  if (posix) assert.deepEqual([statSync(dir).mode & 0o777, statSync(first.path).mode & 0o777], [0o700, 0o600]);
  assert.equal(first.log.lines.filter((line) => line.includes(key)).length, 1);

  await first.config.close();
  const second = await opened(t, undefined, { dir });
  assert.equal(second.config.current().api_key, key);
  assert.equal(second.log.lines.filter((line) => line.includes(key)).length, 0);
});

test("the schema is written beside a file that refers to it, again when it is outdated, and beside no other", async (t) => {
  const first = await opened(t, undefined);
  const schema = join(first.dir, "mcp_config.schema.json");
  await first.config.close();
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(schema, "utf8")).properties).slice(0, 2), ["$schema", "listen"]);
  writeFileSync(schema, "{}");
  await (await opened(t, first.read(), { dir: first.dir })).config.close();
  assert.match(readFileSync(schema, "utf8"), /"mcpServers"/);

  const other = await opened(t, '{"$schema": "https://example.com/s.json", "api_key": "k"}');
  await other.config.close();
  assert.equal(existsSync(join(other.dir, "mcp_config.schema.json")), false);
});

test("$schema is no unknown key, and every change keeps it", async (t) => {
  const { config, read } = await opened(t, '{"$schema": "./x.json", "api_key": "k"}');

  await config.update((d) => Object.assign(d, { tools_limit: 3 }), "test");

  assert.deepEqual(config.unknownKeys(), []);
  assert.deepEqual(JSON.parse(read()), { $schema: "./x.json", api_key: "k", tools_limit: 3 });
});

test("a file without a key gets one, and keeps all it had (spec 000 §5 item 1)", async (t) => {
  const { config, read } = await opened(t, '{"z": 1, "mcpServers": [], "api_key": "", "a": {"b": null}}');

  const key = config.current().api_key;
  assert.equal(read(), `{\n  "z": 1,\n  "mcpServers": [],\n  "api_key": "${key}",\n  "a": {\n    "b": null\n  }\n}\n`);
});

test("a key from the environment or a flag is not written into the file", async (t) => {
  const byEnv = await opened(t, undefined, { env: { SERVICE_API_KEY: "from-env" } });
  const byFlag = await opened(t, "{}", { env: { SERVICE_API_KEY: "from-env" }, flags: { api_key: "from-flag" } });

  assert.equal(byEnv.config.current().api_key, "from-env");
  assert.equal(byEnv.read(), '{\n  "$schema": "./mcp_config.schema.json",\n  "mcpServers": []\n}\n');
  assert.equal(byFlag.config.current().api_key, "from-flag");
  assert.equal(byFlag.read(), "{}");
});

test("an empty file is refused and left as it is, since a lost content is no first start", async (t) => {
  for (const text of ["", " \n", "\uFEFF\n"]) {
    const dir = folder();

    await assert.rejects(opened(t, text, { dir }), { code: "config_invalid", message: /mcp_config\.json is empty/ });

    assert.equal(readFileSync(join(dir, "mcp_config.json"), "utf8"), text);
  }
});

test("a path that was named and leads nowhere is refused with the way to make the file", async (t) => {
  const dir = folder();
  const path = join(dir, "mispelt.json");

  await assert.rejects(opened(t, undefined, { dir, path, init: false }), {
    code: "config_invalid",
    message: `there is no configuration file ${path}; correct --config, or create the file with: proxy serve --config ${path} --init`,
  });
  assert.equal(existsSync(path), false);
  await opened(t, undefined, { dir, path, init: true });
  assert.ok(existsSync(path));
});

test("a broken file is refused with the way back, where earlier configurations are kept", async (t) => {
  const dir = folder();
  const first = await opened(t, '{"api_key":"k"}', { dir });
  await first.config.update((d) => Object.assign(d, { tools_limit: 3 }), "test");
  await first.config.close();

  for (const text of ["", '{"api_key": "k",'])
    await assert.rejects(opened(t, text, { dir }), { code: "config_invalid", message: /proxy config restore NUMBER/ });
  await assert.rejects(opened(t, "{", { dir: folder() }), (error: Error) => !error.message.includes("restore"));
});

test("two first starts at once end with one key", async (t) => {
  const dir = folder();

  const all = await Promise.all([1, 2, 3, 4].map(() => opened(t, undefined, { dir })));

  assert.equal(new Set(all.map((o) => o.config.current().api_key)).size, 1);
});

test("a file that cannot be written still starts, with a key for this run only", {
  skip: !posix && "needs a POSIX user",
}, async (t) => {
  const dir = folder();
  const file = join(dir, "mcp_config.json");
  writeFileSync(file, "{}");
  chmodSync(dir, 0o500);
  // Root may write anywhere, so the proxy starts as an ordinary user.
  if (root) {
    for (const path of [dir, file]) chownSync(path, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
  }
  try {
    const { config, read, log } = await opened(t, undefined, { dir });

    assert.match(config.current().api_key ?? "", /^[0-9a-f]{64}$/);
    assert.equal(read(), "{}");
    assert.ok(log.lines.some((line) => line.includes("cannot be written")));
  } finally {
    if (root) process.seteuid?.(0);
    chmodSync(dir, 0o700);
  }
});

test("defaults, file, environment and flags win in that order", async (t) => {
  const { config } = await opened(t, '{"api_key":"k","tools_limit":20,"listen":":1","init_timeout":"20s"}', {
    env: { SERVICE_LISTEN: ":2", SERVICE_INIT_TIMEOUT: "10s" },
    flags: { listen: ":3" },
  });

  const { health_check_interval, tools_limit, init_timeout, listen } = config.current();
  assert.deepEqual([health_check_interval, tools_limit, init_timeout, listen], ["30s", 20, "10s", ":3"]);
});

test("the data directory may be elsewhere, and is made", async (t) => {
  const dir = folder();

  const inFile = await opened(t, '{"api_key":"k","data_dir":"data"}', { dir });
  assert.equal(inFile.config.dataDir, join(dir, "data"));
  assert.ok(existsSync(join(dir, "data")));

  const byFlag = await opened(t, '{"api_key":"k","data_dir":"data"}', { dir, dataDir: join(dir, "flag") });
  assert.equal(byFlag.config.dataDir, join(dir, "flag"));
});

test("a broken file at the start is refused with its line, its column and what is wrong", async (t) => {
  const rows: [text: string, place: string, message: string][] = [
    ['{\n  "listen": ":1",\n  "tools_limit": 5,,\n}', ":3:20: ", "a key"],
    ['{\n  "listen": ":1",\n  "tools_limit": "many"\n}', ":3: ", "tools_limit: must be a whole number from 1 to 1000"],
    [
      '{"api_key":"k",\n"mcpServers": [\n{"name":"a","command":"x"},\n{"name":"b","url":"http://x",\n"init_timeout":"1ms"}]}',
      ":5: ",
      "mcpServers[1].init_timeout: must be 0 or 1s to 30m",
    ],
    ['{"mcpServers":[],\n"mcpServers":[]}', ":2:1: ", "already occurs on line 1"],
    ["[]", ":1: ", "the document must be an object"],
  ];
  for (const [text, place, message] of rows)
    await assert.rejects(opened(t, text), (error: Error & { code: string }) => {
      assert.equal(error.code, "config_invalid");
      assert.ok(error.message.includes(`mcp_config.json${place}`) && error.message.includes(message), error.message);
      return true;
    });
});

test("several things wrong are told together", async (t) => {
  await assert.rejects(
    opened(t, '{"tools_limit":0,\n"listen":"x"}'),
    (error: Error) => error.message.split("\n").length === 2,
  );
});

test("bad flags and variables are named", async (t) => {
  await assert.rejects(opened(t, "{}", { flags: { listen: "nowhere" } }), {
    message: 'command line: listen: must be "host:port" or ":port"',
  });
  await assert.rejects(opened(t, "{}", { env: { SERVICE_LISTEN: "nowhere" } }), /environment variable SERVICE_LISTEN/);
});

test("a byte order mark and Windows line ends are read", async (t) => {
  const { config } = await opened(t, '\uFEFF{\r\n  "api_key": "k",\r\n  "tools_limit": 7\r\n}\r\n');

  assert.equal(config.current().tools_limit, 7);
});

test("skip_quarantine is the old word for trust mode auto, and goes with the next change (reference 5.5)", async (t) => {
  const { config, read } = await opened(
    t,
    '{"api_key":"k","mcpServers":[{"name":"a","command":"x","skip_quarantine":true,"note":1},{"name":"b","command":"x","skip_quarantine":false},{"name":"c","command":"x","trust_mode":"manual","skip_quarantine":true}]}',
  );
  assert.deepEqual(
    config.current().mcpServers.map((s) => s.trust_mode),
    ["auto", undefined, "manual"],
  );
  assert.deepEqual(
    config.current().mcpServers.map((s) => config.quarantined(s)),
    [false, true, true],
  );
  assert.deepEqual(config.unknownKeys(), ["mcpServers[0].note"]);

  await config.update((d) => delete d.mcpServers[0]!.trust_mode, "test");

  assert.equal(config.server("a")?.trust_mode, undefined);
  assert.ok(!read().includes("skip_quarantine") && read().includes('"note": 1'));
});

test("keys that would reach a prototype do no harm", async (t) => {
  const { config, read } = await opened(
    t,
    '{"api_key":"k","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"mcpServers":[{"name":"__proto__","command":"x","__proto__":{"quarantined":false}}]}',
  );

  await config.update((d) => Object.assign(d, { tools_limit: 7 }), "test");

  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.equal(config.quarantined(config.server("__proto__")!), true);
  assert.deepEqual(config.unknownKeys(), ["__proto__", "constructor", "mcpServers[0].__proto__"]);
  assert.ok(read().includes('"__proto__": {\n    "polluted": 1'));
});

test("a symbolic link stays one, and what it leads to is changed", { skip: !posix && "needs links" }, async (t) => {
  const dir = folder();
  mkdirSync(join(dir, "real"));
  writeFileSync(join(dir, "real", "conf.json"), '{"api_key":"k"}', { mode: 0o600 });
  symlinkSync(join(dir, "real", "conf.json"), join(dir, "mcp_config.json"));

  const { config } = await opened(t, undefined, { dir });
  await config.update((d) => Object.assign(d, { tools_limit: 7 }), "test");

  assert.equal(config.dataDir, dir);
  assert.equal(JSON.parse(readFileSync(join(dir, "real", "conf.json"), "utf8")).tools_limit, 7);
});

const EDITION = {
  enabled: true,
  oauth: { issuer_url: "https://id", client_id: "c", client_secret: "${env:OIDC_SECRET}" },
};

verifies(
  ["edition.client-secret-missing", "deploy.env-secrets"],
  "a client secret whose variable is not set is refused at the start",
  async (t) => {
    const text = JSON.stringify({ api_key: "k", server_edition: EDITION });

    await assert.rejects(opened(t, text), {
      message: /client_secret: is required, but the environment variable OIDC_SECRET/,
    });
    await assert.rejects(opened(t, text, { env: { OIDC_SECRET: "" } }), { message: /OIDC_SECRET is not set/ });
    const { config, read } = await opened(t, text, { env: { OIDC_SECRET: "s" } });
    await config.update((d) => Object.assign(d, { tools_limit: 7 }), "test");
    assert.equal(config.current().server_edition?.oauth?.client_secret, "${env:OIDC_SECRET}");
    assert.ok(read().includes("${env:OIDC_SECRET}"));
  },
);

verifies(
  "edition.cookie-refused",
  "a cookie without Secure is refused where the proxy serves TLS itself",
  async (t) => {
    const text = JSON.stringify({
      api_key: "k",
      tls: { enabled: true },
      server_edition: { ...EDITION, session_cookie_secure: false },
    });

    await assert.rejects(opened(t, text, { env: { OIDC_SECRET: "s" } }), { message: /contradicts tls.enabled/ });
    const plain = JSON.stringify({ api_key: "k", server_edition: { ...EDITION, session_cookie_secure: false } });
    const env = { OIDC_SECRET: "s", SERVICE_TLS_ENABLED: "true" };
    await assert.rejects(opened(t, plain, { env }), { message: /contradicts tls.enabled/ });
  },
);

test("a public address that the listener cannot be reached by is told at the start", async (t) => {
  const server_edition = { ...EDITION, public_url: "http://proxy.example" };
  const text = JSON.stringify({ api_key: "k", tls: { enabled: true }, server_edition });

  const { log } = await opened(t, text, { env: { OIDC_SECRET: "s" } });

  assert.ok(log.lines.some((line) => line.includes("public_url is http, but the listener uses TLS")));
});

test("variables of the environment say how TLS is served", async (t) => {
  const env = { SERVICE_TLS_ENABLED: "yes", SERVICE_TLS_REQUIRE_CLIENT_CERT: "1", SERVICE_CERTS_DIR: "~/keys" };

  const { config } = await opened(t, '{"tls": {"hsts": false}, "api_key": "k"}', { env });

  const certs_dir = "~/keys";
  assert.deepEqual(config.current().tls, { enabled: true, require_client_cert: true, certs_dir, hsts: false });
});

verifies(
  "config.require-mcp-auth",
  "an explicit false in the server edition is overridden with one notice",
  async (t) => {
    const text = JSON.stringify({ api_key: "k", require_mcp_auth: false, server_edition: EDITION });

    const { config, log } = await opened(t, text, { env: { OIDC_SECRET: "s" } });

    assert.equal(config.current().require_mcp_auth, true);
    assert.equal(log.lines.filter((line) => line.includes("require_mcp_auth: false has no effect")).length, 1);
  },
);

test("the start tells of keys it does not know, of doors left open, and of trusting everybody", async (t) => {
  const dir = folder();
  const path = join(dir, "mcp_config.json");
  writeFileSync(path, '{"api_key":"k","top_k":1,"trusted_proxies":["0.0.0.0/0"]}');
  if (posix) chmodSync(path, 0o644);
  if (posix) chmodSync(dir, 0o777);

  const { log, config } = await opened(t, undefined, { dir });

  assert.deepEqual(config.unknownKeys(), ["top_k"]);
  const wanted = [/top_k/, /trusted_proxies 0\.0\.0\.0\/0 trusts/, ...(posix ? [/chmod 700/, /chmod 600/] : [])];
  for (const pattern of wanted)
    assert.ok(
      log.lines.some((line) => pattern.test(line)),
      `${pattern}`,
    );
});
