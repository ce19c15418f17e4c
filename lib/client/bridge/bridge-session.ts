import { systemClock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { REVISIONS_2025, type RpcId } from "../../core/schema/mcp.ts";
import { errorFor, errorText, refusalIn } from "./bridge-error.ts";
import type { BridgeLink } from "./bridge-link.ts";
import type { ClientOutput } from "./client-output.ts";
import { type BridgeMessage, isResponseTo } from "./read-message.ts";

/** The session of a client of a protocol version up to 2025-11-25. It survives a restart of the proxy. */
export interface BridgeSession {
  /** Sends the client's `initialize`; what the client sends after it belongs to the new session. */
  initialize(message: BridgeMessage, id: RpcId): Promise<void>;
  /** Headers of every message of the session. */
  headers(): Record<string, string>;
  /** Session ID of the proxy; absent before `initialize`, or if the proxy has no session. */
  readonly id: string | undefined;
  /** Opens the session again if it still has the id that the proxy does not know. */
  reopen(lostId: string): Promise<void>;
  /** Stores a setting that a request made in the session. */
  remember(message: BridgeMessage): void;
  close(): Promise<void>;
}

interface SessionOptions {
  readonly link: BridgeLink;
  readonly out: ClientOutput;
  note(text: string): void;
  readonly signal: AbortSignal;
}

/** First and longest delay before a lost event stream is opened again (ms). */
const RELISTEN_MS = [250, 5000] as const;

/** Timeout for ending a session (ms). */
const CLOSE_MS = 1000;

/** Settings that are restored: the log level and subscribed URIs; the proxy allows a client fewer. */
const MAX_SETTINGS = 10_000;

/** One `initialize` and its result. */
interface Opened {
  readonly opening: BridgeMessage;
  id: string | undefined;
  readonly version: string;
  /** Requests that a new session must receive again, by their setting. */
  readonly settings: Map<string, string>;
}

export function createBridgeSession({ link, out, note, signal }: SessionOptions): BridgeSession {
  let opened: Opened | undefined;
  let reopening: Promise<void> | undefined;

  const post = (body: string, headers: Readonly<Record<string, string>>, receive: (text: string) => void) =>
    link.send({ method: "POST", headers, body, signal, receive });

  const renew = async (of: Opened) => {
    let answer = "";
    const receive = (text: string) => {
      answer = text;
    };
    const response = await post(of.opening.text, {}, receive);
    if (response.status !== 200 || response.sessionId === undefined)
      throw new Error(`the proxy did not open the session again: ${refusalIn(response).message}`);
    of.id = response.sessionId;
    for (const text of [INITIALIZED, ...of.settings.values()]) await post(text, headersOf(of), () => {});
    // The client has the earlier lists; the servers may have changed while the proxy was away.
    for (const list of ["tools", "prompts", "resources"])
      if (answer.includes(`"${list}":{"listChanged":true`)) out.write(listChanged(list));
    note("the session was opened again");
  };

  const reopen = async (of: Opened, lostId: string) => {
    if (of.id !== lostId) return;
    reopening ??= renew(of).finally(() => {
      reopening = undefined;
    });
    await reopening;
  };

  /** Receives the proxy's own messages while the session is the client's. */
  const listen = async (of: Opened) => {
    let waitMs: number = RELISTEN_MS[0];
    const accepted = () => {
      waitMs = RELISTEN_MS[0];
    };
    while (of.id !== undefined) {
      const { id } = of;
      const request = { method: "GET", headers: headersOf(of), signal, receive: out.write, accepted } as const;
      const { status } = await link.send({ ...request, pace: out.pace }).catch(() => ({ status: 0 }));
      if (opened !== of || signal.aborted) return;
      if (status === 404) await reopen(of, id).catch((error) => note(reasonOf(error)));
      else if (status >= 400) return note(`the proxy sends no notifications: status ${status}`);
      await systemClock.sleep(waitMs, signal).catch(() => {});
      if (opened !== of || signal.aborted) return;
      waitMs = Math.min(waitMs * 2, RELISTEN_MS[1]);
    }
  };

  const session: BridgeSession = {
    async initialize(opening, id) {
      await session.close();
      let answer: string | undefined;
      const receive = (text: string) => {
        if (isResponseTo(text, id)) answer = text;
        out.write(text);
      };
      try {
        const response = await post(opening.text, {}, receive);
        if (answer === undefined) return out.write(errorText(id, refusalIn(response)));
        opened = { opening, id: response.sessionId, version: versionIn(answer), settings: new Map() };
        void listen(opened);
      } catch (error) {
        if (!signal.aborted && answer === undefined) out.write(errorText(id, errorFor(error)));
      }
    },
    headers: () => (opened ? headersOf(opened) : {}),
    get id() {
      return opened?.id;
    },
    async reopen(lostId) {
      if (opened) await reopen(opened, lostId);
    },
    remember({ method, params: { uri }, text }) {
      if (!opened) return;
      const { settings } = opened;
      const isUri = typeof uri === "string";
      if (method === "logging/setLevel") settings.set("level", text);
      else if (method === "resources/unsubscribe") settings.delete(`uri ${uri}`);
      else if (method === "resources/subscribe" && isUri && settings.size < MAX_SETTINGS)
        settings.set(`uri ${uri}`, text);
    },
    async close() {
      const last = opened;
      opened = undefined;
      if (last?.id === undefined) return;
      const until = AbortSignal.any([signal, AbortSignal.timeout(CLOSE_MS)]);
      const request = { method: "DELETE", headers: headersOf(last), signal: until, receive: () => {} } as const;
      await link.send(request).catch(() => {});
    },
  };
  return session;
}

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

const listChanged = (list: string) => `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`;

function headersOf({ version, id }: Opened): Record<string, string> {
  return { "mcp-protocol-version": version, ...(id !== undefined && { "mcp-session-id": id }) };
}

/** The protocol version in the response to `initialize`. */
function versionIn(answer: string): string {
  const value: unknown = JSON.parse(answer);
  const result = isJsonObject(value) && isJsonObject(value.result) ? value.result : {};
  return typeof result.protocolVersion === "string" ? result.protocolVersion : REVISIONS_2025[0];
}
