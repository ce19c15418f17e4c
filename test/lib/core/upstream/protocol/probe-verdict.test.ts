import assert from "node:assert/strict";
import { test } from "node:test";
import { isModernRefusal, type ProbeAnswer, probeVerdict } from "#lib/core/upstream/protocol/probe-verdict.ts";

const NEW = "2026-07-28";
const OLD = "2025-11-25";
const error = (code: number, data?: unknown, status?: number): ProbeAnswer => ({
  kind: "error",
  error: { code, message: "x", ...(data !== undefined && { data }) },
  ...(status !== undefined && { status }),
});
const discovered = (supportedVersions: unknown): ProbeAnswer => ({ kind: "result", result: { supportedVersions } });
const status = (code: number): ProbeAnswer => ({ kind: "status", status: code });

/** What an answer means over both transports, or over stdio and over HTTP. */
const ROWS: [what: string, answer: ProbeAnswer, verdict: string, overHttp?: string][] = [
  ["a result with 2026-07-28", discovered([NEW, OLD]), "modern"],
  ["a result with 2026-07-28 among unknown ones", discovered([7, null, "2099-01-01", NEW]), "modern"],
  ["a result with older versions only", discovered([OLD]), "initialize week"],
  ["a result with a version of the future only", discovered(["2099-01-01"]), "unsupported"],
  ["a result with an empty list", discovered([]), "initialize no"],
  ["a result with a list that is none", discovered(NEW), "initialize week"],
  ["a result of another kind", { kind: "result", result: {} }, "initialize week"],
  ["a result that is no object", { kind: "result", result: null }, "initialize week"],
  ["-32020", error(-32020), "again"],
  ["-32021", error(-32021, { requiredCapabilities: {} }), "again"],
  ["-32022 with 2026-07-28", error(-32022, { supported: [NEW, OLD] }), "again"],
  ["-32022 with older versions only", error(-32022, { supported: [OLD] }), "initialize week"],
  ["-32022 with a version of the future only", error(-32022, { supported: ["2099-01-01"] }), "unsupported"],
  ["-32022 without a list", error(-32022), "initialize no"],
  ["-32601", error(-32601), "initialize week"],
  ["-32601 with HTTP 404", error(-32601, undefined, 404), "initialize week"],
  ["-32602", error(-32602), "initialize week"],
  ["-32600", error(-32600), "initialize week"],
  ["-32700", error(-32700), "initialize week"],
  ["-32000 with HTTP 400, as SDK 1.x says it", error(-32000, undefined, 400), "initialize week"],
  ["-32020 with HTTP 400", error(-32020, undefined, 400), "again"],
  ["an unknown code", error(4711), "initialize week"],
  ["an error with HTTP 401", error(-32001, undefined, 401), "sign in"],
  ["an error with HTTP 403", error(-32001, undefined, 403), "initialize no"],
  ["an error with HTTP 429", error(-32000, undefined, 429), "retry"],
  ["an error with HTTP 500", error(-32603, undefined, 500), "initialize no"],
  ["-32020 with HTTP 503", error(-32020, undefined, 503), "initialize no"],
  ...[400, 404, 405, 406, 415, 301].map(
    (code) => [`HTTP ${code}`, status(code), "initialize week"] as [string, ProbeAnswer, string],
  ),
  ...[500, 502, 503, 504].map(
    (code) => [`HTTP ${code}`, status(code), "initialize no"] as [string, ProbeAnswer, string],
  ),
  ["HTTP 401", status(401), "sign in"],
  ["a sign-in that nobody has done", { kind: "unauthorized" }, "sign in"],
  ["HTTP 403", status(403), "initialize no"],
  ...[408, 425, 429].map((code) => [`HTTP ${code}`, status(code), "retry"] as [string, ProbeAnswer, string]),
  ["something that is no JSON-RPC", { kind: "unreadable" }, "initialize week"],
  ["silence", { kind: "silence" }, "initialize week", "initialize hour"],
  ["the end of its process", { kind: "ended" }, "new process"],
  ["a connection that breaks off", { kind: "broken" }, "initialize no"],
  ["no connection", { kind: "unreachable" }, "retry"],
];

test("every answer to the probe has its verdict", () => {
  for (const [what, answer, overStdio, overHttp = overStdio] of ROWS)
    for (const [transport, expected] of [
      ["stdio", overStdio],
      ["http", overHttp],
    ] as const) {
      const verdict = probeVerdict(transport, answer);

      const said = verdict.action === "initialize" ? `initialize ${verdict.remember}` : verdict.action;
      assert.equal(said, expected, `${transport}: ${what}`);
    }
});

test("a refused initialize suggests the newer version by code or by the versions it names", () => {
  const rows: [code: number, data: unknown, expected: boolean][] = [
    [-32020, undefined, true],
    [-32021, undefined, true],
    [-32022, undefined, true],
    [-32601, undefined, true],
    [-32602, { supported: [NEW] }, true],
    [-32602, { supported: [OLD] }, false],
    [-32602, { supported: NEW }, false],
    [-32600, undefined, false],
    [-32000, "x", false],
  ];
  for (const [code, data, expected] of rows)
    assert.equal(isModernRefusal({ code, message: "x", data }), expected, `${code} ${JSON.stringify(data)}`);
});
