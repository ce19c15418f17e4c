import assert from "node:assert/strict";
import { verifyToken } from "#lib/core/verbs/tokens/verify.ts";
import { retrieveTools } from "#lib/core/verbs/tools/retrieve.ts";
import { searchTools } from "#lib/core/verbs/tools/search.ts";
import { type TestOptions, withApp } from "#test/kit/app.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const QUERIES = [
  "env",
  "envi",
  "list",
  "note",
  "notes",
  "list env",
  "environment",
  "nite",
  "envxronment",
  "does",
  "env:note",
];

/** What a token limited to `alpha` finds, with these further tools in the proxy. */
async function found(hidden: TestOptions["tools"]): Promise<Record<string, string>> {
  const servers = ["alpha", "env", "notes"].map((name) => ({ name, command: "true" }));
  const tools = { "alpha:environment": "approved", "alpha:list_notes": "approved", ...hidden } as const;
  return withApp({ connect: false, servers, tools }, async (app) => {
    await app.catalog.indexed;
    const caller = verifyToken(
      app,
      await issue(app, { allowed_servers: ["alpha"], permissions: ["read", "write", "destructive"] }),
    );
    if (typeof caller === "string") throw new Error(`the token is ${caller}`);
    const answers: Record<string, string> = {};
    for (const query of QUERIES) {
      const wanted = { query, limit: 5, detail: "full", policy: {}, includeDisabled: true } as const;
      const found = await searchTools(app, query, { limit: 5, offset: 0 }, caller);
      answers[query] = JSON.stringify([await retrieveTools(app, caller, wanted), found]);
    }
    return answers;
  });
}

verifies(
  "rest.auth.token-scope",
  "what is out of scope moves no score, no order and no guess of a search",
  async () => {
    const alone = await found({});
    const crowded = await found({
      "env:list_env": "approved",
      "env:envs": "approved",
      "env:note": "pending",
      "notes:notes": "approved",
      "notes:nite": "changed",
    });
    assert.deepEqual(crowded, alone);
    assert.match(alone.env!, /alpha:environment/, "the search finds something at all");
  },
);
