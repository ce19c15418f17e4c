/**
 * An MCP server over standard streams that repeats one text in every place where a server can send text: `node
 * test/programs/loud.mjs TEXT [handshake|exit|listing]`. The second word selects an error: it rejects `initialize`,
 * exits during it, or fails to list its tools.
 */
import { createInterface } from "node:readline";

const [text = "", fails] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const refuse = (id) => send({ id, error: { code: -32000, message: text, data: { why: text } } });
process.stderr.write(`${text}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === "initialize" && fails === "exit") process.exit(7);
  if (method === "initialize" && fails === "handshake") refuse(id);
  else if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: text, version: text, title: text },
        instructions: text,
      },
    });
  else if (method === "tools/list" && fails === "listing") refuse(id);
  else if (method === "tools/list")
    send({
      id,
      result: {
        tools: [
          {
            name: "speak",
            title: text,
            description: text,
            inputSchema: { type: "object", description: text, properties: { [`p_${text}`]: { default: text } } },
            outputSchema: { type: "object", description: text },
            annotations: { title: text },
            _meta: { text },
          },
        ],
      },
    });
  else send({ id, error: { code: -32601, message: text } });
}
