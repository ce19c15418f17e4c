import assert from "node:assert/strict";
import fsp from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROUTE = "GET /api/v1/connect/{client}";
const cursor = { params: { client: "cursor" } };
const entry = (text: string) => `{ "mcpServers": { ${text} } }`;

verifies(
  [
    "rest.connect.get",
    "rest.connect.access-state",
    "rest.connect.connected",
    "rest.connect.registered-url",
    "rest.connect.endpoint-match",
  ],
  "one client is read when it is asked for",
  async () => {
    const cases: [text: string, expected: object][] = [
      [CURSOR, { access_state: "accessible", connected: false, endpoint_match: "" }],
      ["{", { access_state: "malformed", connected: false, endpoint_match: "" }],
      [
        entry('"mcpproxy": { "url": "http://localhost:8080/mcp?apikey=k#f" }'),
        { connected: true, endpoint_match: "this", registered_url: "http://localhost:8080/mcp" },
      ],
      [
        entry('"other-name": { "url": "http://127.0.0.1:8080/mcp/all" }'),
        { connected: true, endpoint_match: "this", server_name: "other-name" },
      ],
      [
        entry('"mcpproxy": { "url": "http://u:p@10.0.0.1:8080/mcp" }'),
        { connected: true, endpoint_match: "other", registered_url: "http://10.0.0.1:8080/mcp" },
      ],
      [entry('"mcpproxy": { "url": "/relative" }'), { connected: true, endpoint_match: "unknown" }],
      [entry('"mcpproxy": { "command": "x" }'), { connected: true, endpoint_match: "unknown" }],
      [
        entry('"mcpproxy": { "command": "npx", "args": ["mcp-remote", "http://127.0.0.1:8080/mcp"] }'),
        { connected: true, endpoint_match: "this" },
      ],
      [entry('"x": { "url": "http://127.0.0.1:9999/mcp" }'), { connected: false, endpoint_match: "" }],
    ];
    await withHome({}, async (app, home) => {
      assert.equal((await call(app, ROUTE, cursor)).access_state, "absent");
      for (const [text, expected] of cases) {
        home.put(".cursor/mcp.json", text);
        const status = await call(app, ROUTE, cursor);
        assert.deepEqual({ ...status, ...expected }, status, text);
        assert.equal(status.remediation, undefined);
      }
    });
  },
);

verifies("rest.connect.get-unknown", "an unknown client is 404", () =>
  withHome({}, async (app) => {
    await assert.rejects(call(app, ROUTE, { params: { client: "nobody" } }), { status: 404, code: "no_such_record" });
  }),
);

verifies(
  ["rest.connect.get-denied", "rest.connect.remediation"],
  "a read that the system denies is told in the answer with what to do about it",
  (t) =>
    withHome({}, async (app, home) => {
      const file = home.put(".cursor/mcp.json", CURSOR);
      const real = fsp.open;
      t.mock.method(fsp, "open", (...args: Parameters<typeof real>) => {
        if (args[0] === file) throw Object.assign(new Error("denied"), { code: "EACCES" });
        return real(...args);
      });
      syncBuiltinESMExports();
      try {
        const status = await call(app, ROUTE, cursor);
        assert.deepEqual([status.access_state, status.connected, status.endpoint_match], ["denied", false, ""]);
        assert.match(status.remediation!, /chmod/);
      } finally {
        t.mock.restoreAll();
        syncBuiltinESMExports();
      }
    }),
);
