import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject } from "../base/merge.ts";
import { REVISIONS_2025, RPC, type RpcId } from "../shape/mcp.ts";
import { accepts, GONE } from "./accept.ts";
import { readBody } from "./body.ts";
import type { McpMode } from "./mount.ts";
import { MAX_MESSAGE_BYTES, parse } from "./parse.ts";
import { receive } from "./receive.ts";
import { refuse, sendJson } from "./reply.ts";
import type { McpServer } from "./server.ts";
import type { Session, Sessions } from "./sessions.ts";
import { type EventStream, openStream } from "./stream.ts";
import type { Turn, Who } from "./turn.ts";

/** Messages of clients, sent by POST (streamable HTTP of the 2025 revisions). */
export interface Posts {
  take(req: IncomingMessage, res: ServerResponse, mode: McpMode, who: Who): Promise<void>;
  /** Keeps long calls' connections open. */
  beat(): void;
  /** Ends every call under way. */
  close(): void;
}

/** One POST whose answer is not there yet. */
interface Pending {
  readonly aborts: AbortController[];
  /** Opens the event stream at the first need; absent for clients that did not ask for streams. */
  readonly stream?: () => EventStream;
  /** It was already under way at the last beat. */
  waited: boolean;
}

/** Unused controllers kept for the next calls. */
const SPARE_MAX = 64;

const UNSUPPORTED_VERSION = -32022;

export function createPosts(server: McpServer, sessions: Sessions): Posts {
  const pending = new Set<Pending>();
  // Making the signal of an AbortController costs more than judging the call, and nearly none is ever used.
  const spare: AbortController[] = [];
  const recycle = (post: Pending, abort: AbortController) => {
    post.aborts.length = 0;
    if (!abort.signal.aborted && spare.length < SPARE_MAX) spare.push(abort);
  };

  const take: Posts["take"] = async (req, res, mode, who) => {
    if (!/^application\/json\s*(;|$)/i.test(req.headers["content-type"] ?? ""))
      return refuse(res, 415, who, RPC.invalidRequest, "Content-Type must be application/json");
    const plain = accepts(req, "application/json");
    if (!plain && !accepts(req, "text/event-stream"))
      return refuse(res, 406, who, RPC.invalidRequest, "Accept must allow application/json or text/event-stream");
    const body = await readBody(req, MAX_MESSAGE_BYTES);
    if (body === "gone") return;
    if (body === "too large")
      return refuse(res, 413, who, RPC.invalidRequest, `a message has at most ${MAX_MESSAGE_BYTES} bytes`);
    const parsed = parse(body);
    if ("error" in parsed) return refuse(res, 400, who, parsed.error.code, parsed.error.message);
    const message = parsed.value;

    const opening = isObject(message) && message.method === "initialize";
    const revision = req.headers["mcp-protocol-version"];
    if (!opening && revision !== undefined && !spoken(revision)) return refuseRevision(res, who, message, revision);
    const sessionId = opening ? undefined : req.headers["mcp-session-id"];
    let session: Session | undefined;
    if (typeof sessionId === "string") {
      session = sessions.find(sessionId, mode, who.caller);
      if (!session) return refuse(res, 404, who, RPC.sessionNotFound, GONE, [], { id: idOf(message) });
    }

    const headers = ["x-request-id", who.requestId];
    let stream: EventStream | undefined;
    const open = () => {
      stream ??= openStream(res, headers);
      return stream;
    };
    const streams = req.headers.accept?.includes("text/event-stream") ?? false;
    const post: Pending = { aborts: [], waited: false, ...(streams && { stream: open }) };
    let turn: Turn | undefined;
    const batch = Array.isArray(message);
    const turnFor = () => {
      const abort = spare.pop() ?? new AbortController();
      post.aborts.push(abort);
      turn = {
        mode,
        who,
        session,
        abort,
        ...(streams && !batch && { notify: (text: string) => open().send(text) }),
      };
      return turn;
    };
    // Nobody could fetch the answer later, so a client that hangs up has cancelled.
    res.on("close", () => {
      if (!res.writableFinished) for (const abort of post.aborts) abort.abort();
    });

    pending.add(post);
    const batches = (session?.revision ?? revision ?? "2025-03-26") === "2025-03-26";
    const outcome = await receive(server, message, batches, turnFor).finally(() => pending.delete(post));
    if (turn?.passedOn && !batch) recycle(post, turn.abort);

    if (opening && turn?.session) headers.push("mcp-session-id", turn.session.id);
    const { text } = outcome;
    if (text === undefined) {
      // A cancelled request is not answered; a stream that ends without an answer says just that.
      if (outcome.asked && streams) return open().end();
      return void res.writeHead(202, ["content-length", "0", ...headers]).end();
    }
    if (!stream && (plain || outcome.malformed)) return sendJson(res, outcome.malformed ? 400 : 200, text, headers);
    open().deliver(text);
    open().end();
  };

  return {
    take,
    beat() {
      for (const post of pending) {
        if (post.waited) post.stream?.().beat();
        post.waited = true;
      }
    },
    close() {
      for (const post of pending) for (const abort of post.aborts) abort.abort();
    },
  };
}

function spoken(revision: unknown): boolean {
  return REVISIONS_2025.some((r) => r === revision);
}

// Clients of the next era probe with their own revision and fall back when they are told which ones there are.
function refuseRevision(res: ServerResponse, who: Who, message: unknown, requested: unknown): void {
  const text = `MCP-Protocol-Version is not one of ${REVISIONS_2025.join(", ")}`;
  const data = { supported: REVISIONS_2025, requested };
  refuse(res, 400, who, UNSUPPORTED_VERSION, text, [], { id: idOf(message), data });
}

function idOf(message: unknown): RpcId | null {
  const id = isObject(message) ? message.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
