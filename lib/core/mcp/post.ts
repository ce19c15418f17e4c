import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { BUSY_RETRY_MS, type ByteBudget, type Hold } from "../base/byte-budget.ts";
import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { isObject } from "../base/merge.ts";
import { Passing } from "../base/passing.ts";
import type { Caller } from "../schema/caller.ts";
import { REVISIONS, RPC, type RpcErrorObject } from "../schema/mcp.ts";
import { accepts, GONE, unacceptable } from "./accept.ts";
import { readBody } from "./body.ts";
import { eraOf, mismatch, unsupported } from "./envelope.ts";
import type { McpMode } from "./mount.ts";
import { MAX_MESSAGE_BYTES, NO_UTF8, parse } from "./parse.ts";
import { type Outcome, receive } from "./receive.ts";
import { refuse, sendJson, sendJsonPieces } from "./reply.ts";
import { standardMismatch } from "./request-headers.ts";
import { idOf } from "./rpc.ts";
import type { McpServer } from "./server.ts";
import type { Session, Sessions } from "./sessions.ts";
import { type EventStream, openStream } from "./stream.ts";
import type { Turn, Who } from "./turn.ts";

/** Messages of clients, sent by POST (streamable HTTP of the revisions of both eras). */
export interface Posts {
  take(req: IncomingMessage, res: ServerResponse, mode: McpMode, who: Who): Promise<void>;
  /** Keeps long calls' connections open. */
  beat(): void;
  /** Ends the calls under way of agents whose token is over, those without a session, too. */
  endAgents(over: (token: string) => Fault | undefined): void;
  /** Ends every call under way, saying why; resolves when each has been told, or soon. */
  close(): Promise<void>;
}

/** One POST whose answer is not there yet. */
interface Pending {
  readonly caller: Caller;
  readonly aborts: AbortController[];
  /** Opens the event stream at the first need; absent for clients that did not ask for streams. */
  readonly stream: (() => EventStream) | undefined;
  /** It was already under way at the last beat. */
  waited: boolean;
}

/** Unused controllers kept for the next calls. */
const MAX_SPARE = 64;

/** How long a stop waits for calls to be told (ms). */
const STOP_MS = 1000;

/** @param bodies what the bytes of messages under way are counted on */
export function createPosts(clock: Clock, server: McpServer, sessions: Sessions, bodies: ByteBudget): Posts {
  const pending = new Passing<Pending, Pending>();
  // Making the signal of an AbortController costs more than judging the call, and nearly none is ever used.
  const spare: AbortController[] = [];
  const recycle = (post: Pending, abort: AbortController) => {
    post.aborts.length = 0;
    if (!abort.signal.aborted && spare.length < MAX_SPARE) spare.push(abort);
  };

  let onLast = () => {};
  const over = (post: Pending) => {
    pending.delete(post);
    if (pending.size === 0) onLast();
  };
  /** Resolves when nothing is under way and the answers have been handed to their sockets, or when that takes long. */
  const answered = () =>
    new Promise<void>((done) => {
      const giveUp = clock.after(STOP_MS, done);
      onLast = () => {
        giveUp();
        setImmediate(done);
      };
    });

  const take: Posts["take"] = async (req, res, mode, who) => {
    const wrong = unacceptable(req);
    if (wrong) return refuse(res, wrong[0], who, RPC.invalidRequest, wrong[1]);
    const hold = bodies.hold();
    try {
      await answer(req, res, mode, who, hold);
    } finally {
      hold.end();
    }
  };

  const answer = async (req: IncomingMessage, res: ServerResponse, mode: McpMode, who: Who, hold: Hold) => {
    const body = await readBody(req, MAX_MESSAGE_BYTES, hold);
    if (body === "gone") return;
    if (body === "no room") return refuseForNow(res, who);
    if (body === "too large")
      return refuse(res, 413, who, RPC.invalidRequest, `a message may have at most ${MAX_MESSAGE_BYTES} bytes`);
    const read = body === "no UTF-8" ? NO_UTF8 : parse(body.text);
    const parsed = read instanceof Promise ? await read : read;
    if ("error" in parsed) return refuse(res, 400, who, parsed.error.code, parsed.error.message);
    const message = parsed.value;

    const revision = req.headers["mcp-protocol-version"]?.toString();
    const reading = eraOf(message, revision);
    if (reading.era === "none") return refuseMessage(res, who, message, reading.error);
    const newer = reading.era === "2026" ? reading : undefined;
    const unfit = newer && unlike(req.headers, message);
    if (unfit) return refuseMessage(res, who, message, unfit);
    const opening = isObject(message) && message.method === "initialize";
    if (!opening && revision !== undefined && !spoken(revision))
      return refuseMessage(res, who, message, unsupported(revision));
    // The newer era has no sessions, and an id of one says nothing there.
    const sessionId = opening || newer ? undefined : req.headers["mcp-session-id"];
    let session: Session | undefined;
    if (typeof sessionId === "string") {
      session = sessions.find(sessionId, mode, who.caller);
      if (!session) return refuse(res, 404, who, RPC.sessionNotFound, GONE, [], { id: idOf(message) });
    }

    const headers = ["x-request-id", who.requestId];
    let stream: EventStream | undefined;
    const listening = newer && isObject(message) && message.method === "subscriptions/listen";
    const open = () => {
      // By it a stopping daemon knows what waits for events, and does not wait for that.
      if (listening && !stream) res.setHeader("content-type", "text/event-stream");
      stream ??= openStream(res, headers);
      return stream;
    };
    const streams = req.headers.accept?.includes("text/event-stream") ?? false;
    const post: Pending = { caller: who.caller, aborts: [], waited: false, stream: streams ? open : undefined };
    let turn: Turn | undefined;
    const batch = Array.isArray(message);
    // Members are set one by one: spreading what may be absent shows in the cost of a call.
    const turnFor = () => {
      const abort = spare.pop() ?? lasting();
      post.aborts.push(abort);
      const opened: Writable<Turn> = { mode, who, session, abort };
      if (newer) {
        opened.envelope = newer.envelope;
        opened.headers = req.headers;
      }
      if (streams && !batch) opened.notify = (text) => open().send(text);
      turn = opened;
      return opened;
    };
    // Nobody could fetch the answer later, so a client that hangs up has cancelled.
    res.on("close", () => {
      if (!res.writableFinished) for (const abort of post.aborts) abort.abort();
    });

    pending.set(post, post);
    const batches = (session?.revision ?? revision ?? "2025-03-26") === "2025-03-26";
    let outcome: Outcome;
    try {
      outcome = await receive(server, message, batches, turnFor);
    } finally {
      over(post);
    }
    if (turn?.passedOn && !batch) recycle(post, turn.abort);

    if (opening && turn?.session) headers.push("mcp-session-id", turn.session.id);
    const { text } = outcome;
    if (text === undefined) {
      // A cancelled request is not answered; a stream that ends without an answer says just that.
      if (outcome.asked && streams) return open().end();
      return void res.writeHead(202, ["content-length", "0", ...headers]).end();
    }
    const status = outcome.malformed ? 400 : (turn?.status ?? 200);
    if (!stream && (status !== 200 || accepts(req, "application/json")))
      return typeof text === "string"
        ? sendJson(res, status, text, headers)
        : await sendJsonPieces(res, status, text, headers);
    await open().deliver(text);
    open().end();
  };

  return {
    take,
    beat() {
      for (const post of pending.values()) {
        if (post.waited) post.stream?.().beat();
        post.waited = true;
      }
    },
    endAgents(over) {
      for (const { caller, aborts } of pending.values()) {
        const fault = caller.tier === "agent" ? over(caller.name) : undefined;
        if (fault) for (const abort of aborts) abort.abort(fault);
      }
    },
    async close() {
      for (const post of pending.values()) for (const abort of post.aborts) abort.abort(new Fault("stopping"));
      if (pending.size > 0) await answered();
    },
  };
}

/**
 * A controller for many calls, one after the other. With a listener that stays, its signal's table of listeners is not
 * emptied and filled anew by each of them (`Passing` tells what that costs).
 */
function lasting(): AbortController {
  const abort = new AbortController();
  abort.signal.addEventListener("abort", () => {});
  return abort;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function spoken(revision: unknown): boolean {
  return REVISIONS.some((r) => r === revision);
}

/** The rest of the body is read and dropped, so that the sender gets to read the answer. */
function refuseForNow(res: ServerResponse, who: Who): void {
  const busy = new Fault("server_busy", { retryAfterMs: BUSY_RETRY_MS });
  const headers = ["retry-after", String(BUSY_RETRY_MS / 1000)];
  const data = { code: busy.code, retry_after_ms: BUSY_RETRY_MS };
  refuse(res, 503, who, RPC.internal, busy.message, headers, { data });
}

function refuseMessage(res: ServerResponse, who: Who, asked: unknown, { code, message, data }: RpcErrorObject): void {
  refuse(res, 400, who, code, message, [], { id: idOf(asked), data });
}

/** Why the headers of a request of the 2026 era do not fit it. */
function unlike(headers: IncomingHttpHeaders, message: unknown): RpcErrorObject | undefined {
  if (!isObject(message) || typeof message.method !== "string" || message.id === undefined) return undefined;
  const reason = standardMismatch(headers, message.method, isObject(message.params) ? message.params : {});
  return reason === undefined ? undefined : mismatch(reason).error;
}
