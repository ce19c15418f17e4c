import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameOrigin } from "#lib/core/api/authenticate/same-origin.ts";

const HOST = "127.0.0.1:8080";
const OURS = `http://${HOST}`;
const PANEL = { "x-proxy-panel": "1" };

const ROWS: [what: string, method: string, headers: Record<string, string>, ours: boolean][] = [
  ["our page reads", "GET", { "sec-fetch-site": "same-origin" }, true],
  ["the person types the address", "GET", { "sec-fetch-site": "none" }, true],
  ["another port of this host reads", "GET", { "sec-fetch-site": "same-site" }, false],
  ["another site reads", "GET", { "sec-fetch-site": "cross-site" }, false],
  ["a plain address: by Origin", "GET", { origin: OURS }, true],
  ["a plain address: by Referer", "GET", { referer: `${OURS}/ui/servers` }, true],
  ["a plain address: another port's Referer", "GET", { referer: "http://127.0.0.1:9090/" }, false],
  ["a sandboxed page", "GET", { origin: "null" }, false],
  ["nothing is said", "GET", {}, false],
  ["what the browser says outweighs Origin", "GET", { "sec-fetch-site": "cross-site", origin: OURS }, false],
  ["our page changes something", "POST", { "sec-fetch-site": "same-origin", ...PANEL }, true],
  ["without our header", "POST", { "sec-fetch-site": "same-origin" }, false],
  ["typed addresses change nothing", "POST", { "sec-fetch-site": "none", ...PANEL }, false],
  ["another origin with our header", "DELETE", { origin: "http://localhost:3000", ...PANEL }, false],
  ["our header alone", "PATCH", PANEL, false],
];

for (const [what, method, headers, ours] of ROWS)
  test(`from our page or not: ${what}`, () => {
    assert.equal(isSameOrigin({ method, host: HOST, header: (name) => headers[name] }), ours);
  });

test("a request without Host is from no page of ours", () => {
  assert.equal(isSameOrigin({ method: "GET", host: undefined, header: () => undefined }), false);
});
