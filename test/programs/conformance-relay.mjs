// @ts-check
/**
 * A client for the official conformance suite that lets a test do the work: `node test/programs/conformance-relay.mjs
 * TEST_URL SERVER_URL` sends the scenario's context and the URL of the suite's server to the test, and ends when the
 * test has finished; it fails if the test failed.
 */
const [test = "", server = ""] = process.argv.slice(2);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const answer = await fetch(test, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ server, context }),
  signal: AbortSignal.timeout(60_000),
});
if (!answer.ok) throw new Error(await answer.text());
