import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Client as NextClient, StreamableHTTPClientTransport as NextTransport } from "@modelcontextprotocol/client";
import { type Daemon, serve, wholeFile } from "./daemon.ts";
import { EVERYTHING, PROGRESS, SLOW } from "./official.ts";

/** The official SDK's second generation, which speaks the revision after those of 2025 where it can. */
let daemon: Daemon;
const file = wholeFile();

before(async () => {
  daemon = await serve(file, { config: { mcpServers: [EVERYTHING] } });
  await daemon.listed("everything");
});

const NEXT: [says: string, mode: "legacy" | "auto" | { pin: "2026-07-28" } | undefined, revision: string][] = [
  ["as it comes", undefined, "2025-11-25"],
  ["that asks for the next revision first", "auto", "2026-07-28"],
  ["that insists on the next revision", { pin: "2026-07-28" }, "2026-07-28"],
];
for (const [says, mode, revision] of NEXT)
  test(`the official client's second generation, ${says}, finds and calls tools`, async () => {
    const client = new NextClient(
      { name: "end-to-end", version: "2.0.0" },
      mode === undefined ? {} : { versionNegotiation: { mode } },
    );
    await client.connect(new NextTransport(new URL(`${daemon.url}/mcp/all`)));
    const progress: object[] = [];

    const { tools } = await client.listTools();
    const weather = await client.callTool({
      name: "everything__get-structured-content",
      arguments: { location: "New York" },
    });
    await client.callTool({ ...SLOW, name: `everything__${SLOW.name}` }, { onprogress: (p) => progress.push(p) });
    const agreed = client.getNegotiatedProtocolVersion();
    await client.close();

    assert.equal(agreed, revision);
    assert.ok(tools.length > 10);
    assert.deepEqual(weather.structuredContent, { temperature: 33, conditions: "Cloudy", humidity: 82 });
    assert.deepEqual(progress, PROGRESS);
  });
