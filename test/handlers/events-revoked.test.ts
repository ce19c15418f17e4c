import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { regenerateToken } from "#lib/core/verbs/tokens/regenerate.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { serve } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";

const by = { caller: INTERNAL_CALLER, origin: { source: "internal" as const, requestId: "r-1" } };

test("an event stream ends with the secret it was opened with", async (t) => {
  for (const end of [revokeToken, removeToken, regenerateToken]) {
    const { app, url } = await serve(t);
    const headers = shows(await issue(app));
    const stream = await fetch(`${url}/events`, { headers });
    assert.equal(stream.status, 200);
    const over = stream.text();
    await end(app, "bot", by);
    assert.match(await over, /event/, end.name);
  }
});
