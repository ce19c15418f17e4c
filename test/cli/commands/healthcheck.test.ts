import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import healthcheck from "#cli/commands/healthcheck.ts";
import { cli } from "#test/kit/cli.ts";

/** Something that answers `/healthz` with one status and `/readyz` with another. */
async function answering(t: TestContext, alive: number, ready: number): Promise<string> {
  const server = createServer((req, res) => {
    res.writeHead(req.url === "/healthz" ? alive : req.url === "/readyz" ? ready : 404).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const tree = { healthcheck: async () => healthcheck };

const ROWS: [title: string, flags: string[], alive: number, ready: number, code: number, out: string][] = [
  ["a proxy that answers is healthy", [], 200, 503, 0, "ok\n"],
  ["one that answers something else is not", [], 500, 200, 1, "answers 500\n"],
  ["one whose index is being built is not ready", ["--ready"], 200, 503, 1, "not ready\n"],
  ["a ready one is", ["--ready"], 200, 200, 0, "ok\n"],
];
for (const [title, flags, alive, ready, code, out] of ROWS)
  test(title, async (t) => {
    const url = await answering(t, alive, ready);

    assert.deepEqual(await cli(["healthcheck", "--url", url, ...flags], tree), { code, out, err: "" });
  });

test("where nothing listens it exits 1", async () => {
  const { code, err } = await cli(["healthcheck", "--url", "http://127.0.0.1:1"], tree);

  assert.equal(code, 1);
  assert.match(err, /127\.0\.0\.1:1/);
});
