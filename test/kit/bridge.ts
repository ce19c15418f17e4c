import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";
import type { BridgeTarget } from "#lib/client/bridge/post-message.ts";
import { runBridge } from "#lib/client/bridge/run-bridge.ts";
import { BRIDGE_HEADER } from "#lib/core/schema/caller.ts";
import { listenTest, type TestApp, type TestOptions, testApp } from "./app.ts";
import { ready } from "./mcp.ts";
import { until } from "./until.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of messages
type Message = any;

/** A bridge on a pair of streams, with its output so far. */
export interface Bridged {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly notes: string[];
  /** Resolves with what `runBridge` returns. */
  readonly over: Promise<boolean>;
  messages(): Message[];
  send(message: unknown): void;
  /** Waits for the response to a request. */
  answer(id: unknown): Promise<Message>;
}

/** A proxy with a local socket that can be stopped and started again. */
export interface BridgedProxy {
  readonly app: TestApp;
  readonly url: string;
  readonly target: BridgeTarget;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a proxy on a local socket for one test. */
export async function socketProxy(
  t: TestContext,
  options: TestOptions = {},
  path = "/mcp/call",
): Promise<BridgedProxy> {
  const { config, ...rest } = options;
  const app = await testApp({ connect: false, ...rest, config: { enable_socket: true, ...config } });
  let listening: Awaited<ReturnType<typeof listenTest>> | undefined = await listenTest(app);
  const { url } = listening;
  const stop = async () => {
    await listening?.close();
    listening = undefined;
  };
  t.after(async () => {
    await stop();
    await app.close();
  });
  if (options.connect) for (const { name } of options.servers ?? []) await ready(app, name);
  const headers = { [BRIDGE_HEADER]: "1" };
  return {
    app,
    url,
    target: { to: { socketPath: join(app.dir, "mcpproxy.sock") }, path, headers },
    stop,
    async start() {
      listening = await listenTest(app);
    },
  };
}

/** Starts a bridge to a proxy for one test. */
export function bridge(t: TestContext, target: BridgeTarget, graceMs = 2000): Bridged {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stopped = new AbortController();
  const notes: string[] = [];
  let text = "";
  output.on("data", (chunk) => {
    text += chunk;
  });
  const note = (line: string) => void notes.push(line);
  const over = runBridge({ target, input, output, note, signal: stopped.signal, graceMs });
  t.after(async () => {
    stopped.abort();
    await over;
  });
  const messages = () =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    input,
    output,
    notes,
    over,
    messages,
    send: (message) => void input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    async answer(id) {
      const isAnswer = (m: Message) => m.id === id && m.method === undefined;
      await until(`the answer to ${id}`, () => messages().some(isAnswer));
      return messages().find(isAnswer);
    },
  };
}
