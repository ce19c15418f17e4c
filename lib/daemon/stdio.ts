import type { Readable, Writable } from "node:stream";
import type { App } from "../core/app.ts";
import { requestId } from "../core/base/id.ts";
import { LineOutbox } from "../core/base/line-outbox.ts";
import { TransientMap } from "../core/base/transient-map.ts";
import { readProtocol } from "../core/mcp/envelope.ts";
import { createListChangeNotifier } from "../core/mcp/list-change-notifier.ts";
import { createMcpServer, responseText } from "../core/mcp/mcp-server.ts";
import { messageBytes } from "../core/mcp/message-text.ts";
import type { McpMode } from "../core/mcp/mount.ts";
import { MAX_CLIENT_MESSAGE_BYTES, type ParsedMessage, parseMessage } from "../core/mcp/parse-message.ts";
import { relayServerLogs } from "../core/mcp/relay-server-logs.ts";
import type { RequestContext } from "../core/mcp/request-context.ts";
import { rpcErrorText, rpcIdOf } from "../core/mcp/rpc.ts";
import { createMcpSessions, type McpSession } from "../core/mcp/sessions.ts";
import type { Tool } from "../core/mcp/tool.ts";
import { type Caller, FULL_SCOPE } from "../core/schema/caller.ts";
import { RPC, type RpcId } from "../core/schema/mcp.ts";
import { LineSplitter } from "../core/upstream/stdio/line-splitter.ts";
import { waitAtMost } from "../core/upstream/wait-at-most.ts";

interface StdioOptions {
  mode: McpMode;
  tools: readonly Tool[];
  input: Readable;
  output: Writable;
}

/**
 * The client that started this process may use everything, as on an open `/mcp`. A model sends its requests, so it can
 * neither lift a quarantine nor read secrets.
 */
const CLIENT: Caller = { tier: "anonymous", name: "stdio", listener: "stdio", scope: FULL_SCOPE };

/** How long pending calls may still be answered after the end of the input (ms). */
const DRAIN_MS = 5000;

/** Maximum unread output; beyond it no input is read (bytes). */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * Serves MCP on a pair of streams, one message per line; resolves after the end of the input, when all responses are
 * sent.
 */
export async function serveStdio(app: App, { mode, tools, input, output }: StdioOptions): Promise<void> {
  const sessions = createMcpSessions(app, { max: 1, idleMs: Number.POSITIVE_INFINITY });
  const server = createMcpServer(app, tools, sessions);
  const announcer = createListChangeNotifier(app, server.lists, sessions, server.subscriptions);
  const stopLogs = relayServerLogs(app, sessions);
  const running = new Set<RequestContext>();
  // In protocol version 2026-07-28, requests belong only to this connection.
  const byId = new TransientMap<RpcId, AbortController>();
  let session: McpSession | undefined;
  let isClosed = false;
  const outbox = new LineOutbox(output);

  /** Pauses the input, because further large messages would use up memory. @param over never rejects */
  const pauseUntil = (over: Promise<unknown>) => {
    if (input.isPaused()) return;
    input.pause();
    void over.then(() => input.resume());
  };
  const send = (text: string) => write([`${text}\n`]);
  /** Drops notifications while the client does not read. */
  const notify = (text: string) => {
    if (outbox.waiting + output.writableLength <= MAX_UNREAD_BYTES) send(text);
  };

  const write = (parts: readonly (string | Buffer)[]) => {
    if (isClosed) return;
    for (const part of parts) outbox.write(part);
    if (outbox.waiting > MAX_UNREAD_BYTES) pauseUntil(outbox.written());
    else if (output.writableLength > MAX_UNREAD_BYTES && !input.isPaused()) {
      input.pause();
      output.once("drain", () => input.resume());
    }
  };

  const take = async (parsed: ParsedMessage) => {
    if ("error" in parsed) return send(rpcErrorText(null, parsed.error));
    const reading = readProtocol(parsed.value, undefined);
    if (reading.family === "none") {
      const id = rpcIdOf(parsed.value);
      // A notification gets no response.
      return id === null ? undefined : send(rpcErrorText(id, reading.error));
    }
    const turns: RequestContext[] = [];
    const turnFor = () => {
      const turn: RequestContext = {
        mode,
        requester: { caller: CLIENT, requestId: requestId(undefined) },
        abort: new AbortController(),
        passedThrough: false,
        observed: undefined,
        notify,
        deliver: send,
        running: byId,
        ...(reading.family === "2026" && { envelope: reading.envelope }),
        // The connection is the session, even for a message that was read before the response to `initialize`.
        get session() {
          return session;
        },
        set session(opened) {
          session = opened;
          if (!opened) return;
          server.lists.mark(opened);
          opened.outlets.push({ send: notify, keepAlive: () => {}, end: () => {} });
        },
      };
      turns.push(turn);
      running.add(turn);
      return turn;
    };
    try {
      const text = responseText(await server.receive(parsed.value, session?.revision === "2025-03-26", turnFor));
      if (typeof text === "string") send(text);
      else if (text) write([...(await messageBytes(text)), "\n"]);
    } finally {
      for (const turn of turns) running.delete(turn);
    }
  };

  const answering = new Set<Promise<void>>();
  /** Lines that wait until a large message before them is parsed: a cancellation must not overtake its request. */
  let behind: string[] | undefined;
  const beginBehind = () => {
    const waiting = behind ?? [];
    behind = undefined;
    for (const line of waiting) begin(line);
  };
  const answerTo = (parsed: ParsedMessage) => {
    const answer = take(parsed)
      .catch((error) => app.log.error("a message on standard input failed", { stack: String(error?.stack ?? error) }))
      .finally(() => answering.delete(answer));
    answering.add(answer);
  };
  const begin = (line: string) => {
    if (line.trim() === "") return;
    if (behind) return void behind.push(line);
    const read = parseMessage(line);
    if (!(read instanceof Promise)) return answerTo(read);
    behind = [];
    pauseUntil(read);
    const parsing = read
      .then((parsed) => {
        answerTo(parsed);
        beginBehind();
      })
      .finally(() => answering.delete(parsing));
    answering.add(parsing);
  };
  const lines = new LineSplitter(
    { line: begin, tooLong: () => send(rpcErrorText(null, TOO_LONG)) },
    MAX_CLIENT_MESSAGE_BYTES,
  );

  const over = new Promise<void>((done) => {
    input.on("data", (chunk: Buffer) => lines.feed(chunk));
    input.on("end", () => {
      lines.end();
      // Standard input is never closed if it is a file or /dev/null.
      done();
    });
    input.on("close", done).on("error", () => done());
    output.on("error", () => {
      isClosed = true;
      input.destroy();
    });
  });
  await over;
  for (const { end } of [...server.subscriptions.all()]) end();
  const stopWaiting = app.clock.after(DRAIN_MS, () => {
    for (const turn of running) turn.abort.abort();
  });
  while (answering.size > 0) await Promise.all(answering);
  await waitAtMost(app.clock, DRAIN_MS, outbox.written());
  stopWaiting();
  announcer.close();
  stopLogs();
  sessions.close();
}

const TOO_LONG = {
  code: RPC.parse,
  message: `Parse error: a message must have at most ${MAX_CLIENT_MESSAGE_BYTES} bytes`,
};
