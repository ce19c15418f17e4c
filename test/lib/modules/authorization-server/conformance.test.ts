import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertPassed, type Check, suiteProgram } from "#test/e2e/suite.ts";
import { freePort } from "#test/kit/free-port.ts";
import { serve } from "#test/kit/mcp.ts";
import { TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { folder, startCommand } from "#test/kit/program.ts";

/** The links that the suite prints for a person. */
const LINKS = /^http\S+\/oauth\/authorize\?\S+$/gm;

test("the front door passes the official suite's scenarios of authorization servers", async (t) => {
  const client = { client_id: "suite", redirect_uris: ["http://127.0.0.1/callback"] };
  const auth = { oauth: { enabled: true, clients: [client] } };
  const { url } = await serve(t, { ...WITH_SIGN_IN, config: { ...WITH_SIGN_IN.config, auth } });
  const results = folder(t);
  const suite = startCommand(t, [
    process.execPath,
    await suiteProgram(t, "conformance-2026"),
    ...["authorization", "--url", url, "--client-id", client.client_id, "--resource", `${url}/mcp`],
    ...["--port", String(await freePort()), "--output-dir", results],
  ]);
  const answered = new Set<string>();
  let said = "";
  const returned: Promise<unknown>[] = [];
  suite.child.stdout.on("data", (text) => {
    said += text;
    for (const [link] of said.matchAll(LINKS)) {
      if (answered.has(link)) continue;
      answered.add(link);
      returned.push(new TestBrowser(url).allow(link).then((back) => fetch(back)));
    }
  });

  const { out, err } = await suite.ended;

  await Promise.all(returned);
  assert.ok(answered.size > 0, `it asked nobody:\n${out}${err}`);
  const files = readdirSync(results, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith("checks.json"));
  assert.ok(files.length > 0, `${out}${err}`);
  for (const path of files) assertPassed(JSON.parse(readFileSync(join(results, path), "utf8")) as Check[]);
  t.diagnostic(`${files.length} scenarios, ${answered.size} with a person`);
});
