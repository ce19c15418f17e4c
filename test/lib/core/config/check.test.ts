import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfig } from "#lib/core/config/check.ts";
import { configKeys } from "#lib/core/config/config-keys.ts";
import { verifies } from "#test/kit/verifies.ts";
import "#lib/modules/config.gen.ts";

const config = (document: unknown) => {
  const checked = checkConfig(document);
  assert.ok(checked.ok, checked.ok ? "" : checked.problems.map((p) => p.text).join("\n"));
  return checked;
};
const problems = (document: unknown) => {
  const checked = checkConfig(document);
  return checked.ok ? [] : checked.problems.map((p) => p.text);
};
const server = (entry: object) => ({ mcpServers: [{ name: "a", command: "x", ...entry }] });

verifies(
  [
    "config.enable-code-execution",
    "config.code-timeout",
    "config.code-max-calls",
    "config.code-pool",
    "config.code-parallel",
    "config.routing-mode",
    "config.tool-response-mode",
    "config.reveal",
    "config.listen",
    "config.trusted-hosts",
    "config.trusted-proxies",
    "config.require-mcp-auth",
  ],
  "an empty document has the defaults of the configuration table",
  () => {
    const { config: c } = config({});

    const expected = {
      enable_code_execution: true,
      code_execution_timeout_ms: 120_000,
      code_execution_max_tool_calls: 0,
      code_execution_pool_size: 10,
      code_execution_max_parallel: 8,
      routing_mode: "retrieve_tools",
      tool_response_mode: "full",
      reveal_secret_headers: false,
      listen: "127.0.0.1:8080",
      trusted_hosts: [],
      trusted_proxies: [],
      require_mcp_auth: false,
      update_check: { enabled: true, channel: "stable" },
      quarantine_enabled: true,
      call_tool_timeout: "2m",
    };
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(c[key], value, key);
    assert.equal(c.audit_log, undefined);
    assert.equal(c.server_edition, undefined);
  },
);

verifies(
  ["config.code-timeout", "config.code-pool", "config.code-parallel"],
  "numbers are held to their ranges",
  () => {
    const ranges: [key: string, min: number, max: number][] = [
      ["code_execution_timeout_ms", 1, 600_000],
      ["code_execution_pool_size", 1, 100],
      ["code_execution_max_parallel", 1, 32],
      ["code_execution_max_tool_calls", 0, 1_000_000_000],
      ["tools_limit", 1, 1000],
    ];
    for (const [key, min, max] of ranges) {
      for (const good of [min, max]) config({ [key]: good });
      for (const bad of [min - 1, max + 1, min + 0.5, "5", Number.NaN])
        assert.deepEqual(problems({ [key]: bad }), [`${key}: must be a whole number from ${min} to ${max}`], `${bad}`);
    }
  },
);

verifies(["config.audit-log", "config.update-check"], "audit_log and update_check have their members", () => {
  const { config: c } = config({ audit_log: { stdout: true }, update_check: { channel: "rc" } });

  assert.deepEqual(c.audit_log, { stdout: true, max_size_mb: 50, max_backups: 10, max_age_days: 90, compress: true });
  assert.deepEqual(c.update_check, { enabled: true, channel: "rc" });
});

verifies(["peer.message", "peer.entries"], "a wrong trusted proxy is refused in the specification's words", () => {
  assert.deepEqual(problems({ trusted_proxies: ["10.0.0.0/8", "proxy.local", "::1", "1.2.3.4/33"] }), [
    'trusted_proxies[1] "proxy.local" is not a valid CIDR or IP address',
    'trusted_proxies[3] "1.2.3.4/33" is not a valid CIDR or IP address',
  ]);
});

test("durations are texts within their ranges (reference 4.1)", () => {
  const rows: [key: string, value: unknown, message?: string][] = [
    ["init_timeout", "0"],
    ["init_timeout", "1m30s"],
    ["init_timeout", "500ms", "must be 0 or 1s to 30m"],
    ["init_timeout", "31m", "must be 0 or 1s to 30m"],
    ["call_tool_timeout", "0", "must be more than 0, at most 24h"],
    ["health_check_interval", "4s", "must be 0 or 5s to 1h"],
    ["tool_discovery_interval", "10s", "must be 0 or 30s to 24h"],
    ["queue_timeout", 30, 'must be a duration such as "30s"'],
    ["queue_timeout", "soon", '"soon" is not a duration such as "30s" or "2m"'],
  ];
  for (const [key, value, message] of rows)
    assert.deepEqual(problems({ [key]: value }), message ? [`${key}: ${message}`] : [], `${key} ${value}`);
});

test("a listen address is host and port, port alone, or nothing", () => {
  for (const good of ["127.0.0.1:8080", ":0", "localhost:65535", "[::1]:80", "0.0.0.0:1", ""]) config({ listen: good });
  for (const bad of ["8080", "localhost", "a:65536", "http://x:80", "::1:80", "x:80/path"])
    assert.deepEqual(problems({ listen: bad }), ['listen: must be "host:port" or ":port"'], bad);
});

test("trusted hosts are names, not addresses of pages (spec 001 §5.2)", () => {
  config({ trusted_hosts: ["*", "example.com", "Example.com:8080", ".example.com", "[::1]:80", "::1", "10.0.0.1"] });
  for (const bad of ["https://example.com", "example.com/mcp", "a b", "", "*.example.com"])
    assert.match(problems({ trusted_hosts: [bad] })[0] ?? "", /^trusted_hosts\[0\]: must be a host name/, bad);
});

test("a server entry is refused with its place and the reason (reference 4.1)", () => {
  const rows: [document: unknown, ...messages: string[]][] = [
    [{ mcpServers: [{}] }, "mcpServers[0].name: is required"],
    [{ mcpServers: [{ name: "a" }] }, "mcpServers[0].command: a server needs a command or a url"],
    [{ mcpServers: [{ name: "a", protocol: "stdio" }] }, "mcpServers[0].command: a stdio server needs a command"],
    [
      { mcpServers: [{ name: "a", protocol: "http", command: "x" }] },
      "mcpServers[0].url: a server with protocol http needs a url",
    ],
    [
      {
        mcpServers: [
          { name: "a", url: "http://x" },
          { name: "b", url: "http://x" },
          { name: "a", command: "x" },
        ],
      },
      'mcpServers[2].name: "a" is already the name of mcpServers[0]',
    ],
    [server({ protocol: "grpc" }), "mcpServers[0].protocol: must be one of stdio, http, sse, streamable-http, auto"],
    [server({ trust_mode: "blind" }), "mcpServers[0].trust_mode: must be one of auto, scan, manual"],
    [
      server({ enabled_tools: ["x"], disabled_tools: ["y"] }),
      "mcpServers[0].disabled_tools: set either enabled_tools or disabled_tools, not both",
    ],
    [server({ url: "ftp://x/y" }), "mcpServers[0].url: must be an http or https URL"],
    [server({ url: "example.com/mcp" }), "mcpServers[0].url: must be an http or https URL"],
    [server({ headers: { "X Y": "1" } }), 'mcpServers[0].headers["X Y"]: is not a valid header name'],
    [
      server({ headers: { X: "1\r\nY: 2" } }),
      "mcpServers[0].headers.X: a header value must not contain line breaks or NUL",
    ],
    [server({ env: { "A=B": "1" } }), 'mcpServers[0].env["A=B"]: is not a valid environment variable name'],
    [server({ env: { A: 1 } }), "mcpServers[0].env.A: must be a string, not a number"],
    [server({ env: [] }), "mcpServers[0].env: must be an object, not a list"],
    [server({ args: "x y" }), "mcpServers[0].args: must be a list, not a string"],
    [server({ enabled: "yes" }), "mcpServers[0].enabled: must be true or false, not a string"],
    [server({ env: { constructor: "1" } }), "mcpServers[0].env.constructor: cannot be used as a name"],
    [
      server({ env: JSON.parse('{"__proto__":"1"}') as object }),
      "mcpServers[0].env.__proto__: cannot be used as a name",
    ],
    [
      { mcpServers: {} },
      "mcpServers: must be a list, not an object; import the file of an MCP client with: proxy import <file>",
    ],
    [{ mcpServers: ["x"] }, "mcpServers[0]: must be an object, not a string"],
    [[], "the document must be an object, not a list"],
    ["x", "the document must be an object, not a string"],
  ];
  for (const [document, ...messages] of rows) assert.deepEqual(problems(document), messages, JSON.stringify(document));
});

test("server names may hold anything but colons, control characters and outer spaces, and are no step of a path", () => {
  for (const name of ["a", "my server", "org/repo.x", "ünï", "x".repeat(128), "-", "constructor", "__proto__"])
    config({ mcpServers: [{ name, command: "x" }] });
  for (const name of ["", "a:b", " a", "a ", "a\nb", "x".repeat(129), "a\u0000", ".", ".."])
    assert.match(problems({ mcpServers: [{ name, command: "x" }] })[0] ?? "", /^mcpServers\[0\]\.name: a server/, name);
});

test("a server may have 256 headers", () => {
  const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, "1"]));
  config(server({ url: "http://x.example/mcp", headers: headers(256) }));

  assert.deepEqual(problems(server({ url: "http://x.example/mcp", headers: headers(257) })), [
    "mcpServers[0].headers: must have at most 256 headers",
  ]);
});

test("references stand for values, also inside a url (spec 000 §2.9 rule 2)", () => {
  config(
    server({ env: { K: "${keyring:k}" }, headers: { A: "Bearer ${env:T}" }, url: "https://${env:HOST}:8443/mcp" }),
  );
  config(server({ url: "${env:WHOLE_URL}" }));
});

test("null and blank texts mean not set, as programs that write every field leave them", () => {
  const { config: c } = config({
    routing_mode: "",
    api_key: "",
    profiles: null,
    logging: { level: "" },
    mcpServers: [
      { name: "a", command: "x", url: "", protocol: "", args: null, init_timeout: "", env: { EMPTY: "", GONE: null } },
    ],
  });

  assert.equal(c.routing_mode, "retrieve_tools");
  assert.equal(c.api_key, undefined);
  assert.deepEqual(c.profiles, []);
  assert.equal(c.logging.level, "info");
  assert.deepEqual(c.mcpServers[0], { name: "a", command: "x", enabled: true, env: { EMPTY: "" } });
  assert.equal(config({ listen: "" }).config.listen, "");
});

test("an empty text is no switch, number, list or object", () => {
  const rows: [object, string][] = [
    [{ require_mcp_auth: "" }, "require_mcp_auth: must be true or false, not a string"],
    [{ tls: { enabled: "" } }, "tls.enabled: must be true or false, not a string"],
    [{ trusted_hosts: "" }, "trusted_hosts: must be a list, not a string"],
    [{ mcpServers: "" }, "mcpServers: must be a list, not a string"],
    [{ logging: "" }, "logging: must be an object, not a string"],
    [{ tools_limit: "" }, "tools_limit: must be a whole number from 1 to 1000"],
    [server({ args: "" }), "mcpServers[0].args: must be a list, not a string"],
    [server({ quarantined: "" }), "mcpServers[0].quarantined: must be true or false, not a string"],
    [server({ env: "" }), "mcpServers[0].env: must be an object, not a string"],
  ];
  for (const [document, problem] of rows) assert.deepEqual(problems(document), [problem], JSON.stringify(document));
});

test("keys this program does not know are named, at every depth", () => {
  const { unknown, config: c } = config({
    $schema: "x",
    top_k: 5,
    logging: { compress: true },
    mcpServers: [{ name: "a", command: "x", shared: true, env: { anything: "1" }, isolation: { moode: "docker" } }],
  });

  assert.deepEqual(unknown, ["top_k", "logging.compress", "mcpServers[0].shared", "mcpServers[0].isolation.moode"]);
  assert.equal(c.top_k, 5);
});

test("a value that is wrong is never quoted, since it may be a secret", () => {
  for (const document of [{ api_key: { k: "s3cret" } }, server({ env: { K: ["s3cret"] } }), server({ url: "s3cret" })])
    assert.ok(problems(document).length === 1 && !problems(document)[0]!.includes("s3cret"));
});

verifies(
  ["edition.enabled", "edition.provider", "edition.issuer", "edition.cookie-refused", "edition.client-secret"],
  "the server edition is refused without an identity provider, or with a contradiction about its cookie",
  () => {
    const oauth = { issuer_url: "https://id", client_id: "c", client_secret: "${env:S}" };
    config({ server_edition: { enabled: true, oauth, public_url: "https://p", session_cookie_secure: "auto" } });
    config({ server_edition: { enabled: false } });

    assert.deepEqual(problems({ server_edition: { enabled: true, oauth: { issuer_url: "https://id" } } }), [
      "server_edition.oauth.client_id: is required when server_edition.enabled is true",
      "server_edition.oauth.client_secret: is required when server_edition.enabled is true",
    ]);
    for (const word of [false, "false"])
      assert.deepEqual(
        problems({ server_edition: { enabled: true, oauth, public_url: "https://p", session_cookie_secure: word } }),
        ["server_edition.session_cookie_secure: false contradicts an https public_url"],
      );
    assert.match(problems({ server_edition: { oauth: { provider: "saml" } } })[0]!, /must be one of oidc/);
  },
);

verifies(
  ["edition.group-servers", "edition.default-servers", "edition.scopes"],
  "groups are given lists or all",
  () => {
    const { config: c } = config({
      server_edition: { access: { group_servers: { dev: ["a"], ops: "*" } }, oauth: { scopes: ["openid"] } },
    });

    assert.deepEqual(c.server_edition?.access?.group_servers, { dev: ["a"], ops: ["*"] });
    assert.deepEqual(c.server_edition?.access?.default_servers, []);
  },
);

test("every key says how it is reloaded and what it does", () => {
  for (const { key, facts, description } of configKeys()) {
    assert.match(facts.reload, /^(hot|restart)$/, key);
    assert.match(description, /^[\w-].{9,}$/, key);
  }
});
