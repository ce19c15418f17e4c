// @ts-check
/**
 * A server over standard streams whose lists and resources are hostile: `node test/programs/upstream-hostile-items.mjs <how>`.
 *
 *   endless    each page of resources names another one, without end
 *   loop       the cursor of the second page leads back to it
 *   schemes    resources under every kind of URI; reading answers the URI that was asked for
 *   huge       a resource of 100 MB
 *   storm      after a subscription, 100,000 updates of as many parts; log messages with it
 *   links      each read answers links to further resources of itself
 */
import { createInterface } from "node:readline";

const [how] = process.argv.slice(2);
/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const SCHEMES = [
  "file:///etc/passwd",
  "http://169.254.169.254/latest",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "mailto:a@example.com",
  "urn:isbn:1",
  "../../etc/passwd",
  "via://other/file:///secret",
  "a b\u0000c",
  `file:///${"x".repeat(100_000)}`,
];

/** @type {Record<string, (params: any) => object | undefined>} */
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
    serverInfo: { name: "hostile", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: [{ name: "hi", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }],
  }),
  "tools/call": () => ({ content: [{ type: "text", text: "hi" }] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "resources/list": ({ cursor = "0" }) => {
    if (how === "schemes") return { resources: SCHEMES.map((uri, i) => ({ uri, name: `n${i}` })) };
    const resources = [{ uri: `file:///${cursor}`, name: cursor }];
    if (how === "endless") return { resources, nextCursor: String(Number(cursor) + 1) };
    if (how === "loop") return { resources, nextCursor: "1" };
    return { resources: [{ uri: "file:///it", name: "it" }] };
  },
  "resources/read": ({ uri }) => {
    if (how === "huge") return { contents: [{ uri, text: "h".repeat(100 * 1024 * 1024) }] };
    if (how === "links")
      return {
        contents: [
          { uri, text: `see ${uri}/more` },
          { uri: `${uri}/more`, text: "more" },
        ],
      };
    return { contents: [{ uri, text: `read ${uri}` }] };
  },
  "resources/subscribe": ({ uri }) => {
    if (how === "storm")
      setTimeout(() => {
        for (let i = 0; i < 100_000; i++) {
          send({ method: "notifications/resources/updated", params: { uri: `${uri}/${i}` } });
          if (i % 10 === 0) send({ method: "notifications/message", params: { level: "error", data: i } });
        }
      }, 50);
    return {};
  },
  "resources/unsubscribe": () => ({}),
  "logging/setLevel": () => ({}),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = METHODS[method]?.(params);
  send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
});
