import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";
import type { BridgeTarget } from "#lib/client/bridge/post-message.ts";
import { runBridge } from "#lib/client/bridge/run-bridge.ts";
import { BRIDGE_HEADER } from "#lib/core/schema/caller.ts";
import { listenTest, type TestApp, type TestOptions, testApp } from "./app.ts";
import { ready } from "./mcp.ts";
import { rawStream } from "./stream-transport.ts";

/** A bridge on a pair of streams, with its output so far. */
export interface Bridged extends ReturnType<typeof rawStream> {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly notes: string[];
  /** Resolves with what `runBridge` returns. */
  readonly over: Promise<boolean>;
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
  const note = (line: string) => void notes.push(line);
  const over = runBridge({ target, input, output, note, signal: stopped.signal, graceMs });
  t.after(async () => {
    stopped.abort();
    await over;
  });
  return { input, output, notes, over, ...rawStream({ input, output }) };
}
