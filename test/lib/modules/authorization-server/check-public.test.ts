import assert from "node:assert/strict";
import { test } from "node:test";
import { createEgress } from "#lib/core/base/egress/create-egress.ts";
import { checkPublic } from "#lib/modules/authorization-server/check-public.ts";
import type { TestOptions } from "#test/kit/app.ts";
import { serve } from "#test/kit/mcp.ts";

const egress = createEgress({ agent: "test", allowed: () => [] });
const never = new AbortController().signal;

const WORLDS: readonly (readonly [what: string, config: TestOptions["config"], codes: readonly string[]])[] = [
  ["an open proxy", {}, ["public_without_tls", "public_mcp_open", "public_metadata", "public_metadata"]],
  [
    "one that only takes tokens",
    { require_mcp_auth: true },
    ["public_without_tls", "public_sign_in_off", "public_metadata", "public_metadata"],
  ],
  [
    "one that names another origin",
    { auth: { oauth: { enabled: true, public_url: "https://other.example" } } },
    ["public_without_tls", "public_metadata"],
  ],
  ["one that is ready but for TLS", { auth: { oauth: { enabled: true } } }, ["public_without_tls"]],
];

test("a published proxy is checked as a client on the internet sees it", async (t) => {
  for (const [what, config = {}, codes] of WORLDS) {
    const { url } = await serve(t, { config });

    const found = await checkPublic(egress, new URL(url), never);

    assert.deepEqual(
      found.map(({ code }) => code),
      codes,
      what,
    );
    for (const { remedy } of found) assert.ok(remedy?.action);
  }
});

test("a proxy that cannot be reached is one finding", async () => {
  const found = await checkPublic(egress, new URL("http://127.0.0.1:9"), never);

  assert.deepEqual(
    found.map(({ code }) => code),
    ["public_unreachable"],
  );
});
