import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL } from "#lib/core/schema/caller.ts";
import { regenerate } from "#lib/core/verbs/tokens/regenerate.ts";
import { remove } from "#lib/core/verbs/tokens/remove.ts";
import { revoke } from "#lib/core/verbs/tokens/revoke.ts";
import { serve } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";

const by = { caller: INTERNAL, origin: { source: "internal" as const, requestId: "r-1" } };

test("an event stream ends with the secret it was opened with", async (t) => {
  for (const end of [revoke, remove, regenerate]) {
    const { app, url } = await serve(t);
    const headers = shows(await issue(app));
    const stream = await fetch(`${url}/events`, { headers });
    assert.equal(stream.status, 200);
    const over = stream.text();
    await end(app, "bot", by);
    assert.match(await over, /event/, end.name);
  }
});
