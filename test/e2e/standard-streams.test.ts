import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { BUNDLE, folder } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { serve } from "./daemon.ts";

const fixture = {
  name: "fixture",
  quarantined: false,
  trust_mode: "auto",
  command: process.execPath,
  args: [resolve("test/programs/conformance-upstream.mjs")],
};

/** The command lines that serve a client on standard streams. */
const WAYS: Record<string, (t: TestContext) => Promise<string[]>> = {
  async "serve --stdio"(t) {
    const dir = folder(t);
    writeFileSync(join(dir, "mcp_config.json"), JSON.stringify({ mcpServers: [fixture] }));
    return ["serve", "--stdio", "--data-dir", dir];
  },
  async bridge(t) {
    const { dir, listed } = await serve(t, { config: { mcpServers: [fixture] } });
    await listed("fixture");
    return ["bridge", "--data-dir", dir];
  },
};

for (const [way, wordsFor] of Object.entries(WAYS))
  test(`the official client uses prompts, resources, completion, questions and logging through ${way}`, async (t) => {
    const client = new Client({ name: "end-to-end", version: "1.0.0" }, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    const logged: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { username: "ann", email: "ann@example.com" } };
    });
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void logged.push(`${params.logger}`),
    );
    const args = [BUNDLE, ...(await wordsFor(t)), "--routing-mode", "direct"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
    t.after(() => client.close());
    await until("the server's tools and prompts are listed", async () => {
      const { tools } = await client.listTools();
      return (
        tools.some(({ name }) => name === "fixture__test_elicitation") &&
        (await client.listPrompts()).prompts.length > 0
      );
    });

    const uri = "via://fixture/test://static-text";
    await until("the resources and templates are listed", async () => {
      const { resources } = await client.listResources();
      return (
        resources.some((one) => one.uri === uri) && (await client.listResourceTemplates()).resourceTemplates.length > 0
      );
    });
    assert.equal((await client.readResource({ uri })).contents[0]!.uri, uri);
    assert.ok((await client.getPrompt({ name: "fixture__test_simple_prompt" })).messages.length > 0);
    const ref = { type: "ref/prompt", name: "fixture__test_prompt_with_arguments" } as const;
    assert.ok((await client.complete({ ref, argument: { name: "arg1", value: "a" } })).completion);
    await client.callTool({ name: "fixture__test_elicitation", arguments: { message: "Who are you?" } });
    assert.match(asked.join(), /Who are you\?/);
    await client.subscribeResource({ uri });
    await client.unsubscribeResource({ uri });
    await client.setLoggingLevel("debug");
    await client.callTool({ name: "fixture__test_tool_with_logging" });
    await until("a log message", async () => logged.length > 0);
    assert.match(logged[0]!, /fixture/);
  });
