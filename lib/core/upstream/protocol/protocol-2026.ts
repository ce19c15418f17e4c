import { isJsonObject } from "../../base/json-object.ts";
import { loopShare } from "../../base/loop-share.ts";
import {
  type McpObject,
  META_PREFIX as META,
  REVISION_2026 as REVISION,
  type Reply,
  UI_EXTENSION,
  UI_SETTINGS,
} from "../../schema/mcp.ts";
import { UpstreamError } from "../errors.ts";
import { paramHeaderDefect } from "./param-header-defect.ts";
import { createParamHeaders, type ParamHeaders, routingHeaders } from "./param-headers.ts";
import {
  type ClientInfo,
  type HandshakeOptions,
  type HandshakeResult,
  handshakeParts,
  type ListenChannel,
  type ProtocolChannel,
  type ProtocolFamily,
} from "./protocol-family.ts";

/** Timeout until a subscription is confirmed. (ms) */
const CONFIRM_MS = 5000;
/** First and longest wait before a subscription that ended is opened again. (ms) */
const RENEW_MS = [1000, 30_000] as const;

/**
 * Protocol version 2026-07-28: no handshake and no session. Every request names the client and the version, and repeats
 * parts of itself in headers. A request that stays open subscribes to changes.
 */
export const protocol2026: ProtocolFamily = {
  name: "2026",

  async handshake(line: ProtocolChannel, options: HandshakeOptions): Promise<HandshakeResult> {
    const { reply, resultOf } = discover2026(line, options);
    try {
      return resultOf((await reply).result);
    } catch (error) {
      stopSpeaking2026(line);
      throw error;
    }
  },

  /** There is no `ping`; this request is as small. */
  async ping({ exchange }, timeoutMs) {
    await exchange.request("server/discover", {}, { timeoutMs });
  },

  listen: (line) => subscribe(line),
};

const HANDSHAKE = { errorClass: "handshake_failed" } as const;

/** A `server/discover` request that was sent. */
interface Discovery {
  readonly reply: Promise<Reply>;
  /** Checks the result of the request. @throws UpstreamError if it does not offer this protocol version */
  resultOf(result: unknown): HandshakeResult;
}

/**
 * Sends `server/discover`. From then on the channel uses this protocol version, unless `stopSpeaking2026` is called.
 */
export function discover2026(line: ProtocolChannel, { client, timeoutMs, signal }: HandshakeOptions): Discovery {
  const params = createParamHeaders();
  speak(line, client, params);
  return {
    reply: line.exchange.request("server/discover", {}, { timeoutMs, ...(signal && { signal }) }),
    resultOf(result) {
      if (!isJsonObject(result) || !Array.isArray(result.supportedVersions))
        throw new UpstreamError("its answer to server/discover names no protocol versions", HANDSHAKE);
      if (!result.supportedVersions.includes(REVISION)) throw unsupportedVersions(result.supportedVersions);
      const info = isJsonObject(result._meta) ? result._meta[`${META}serverInfo`] : undefined;
      return {
        family: protocol2026,
        protocolVersion: REVISION,
        learnTools: async (entries, reject) => {
          // Headers exist only over HTTP.
          const valid = line.transport.kind === "http" ? await withValidHeaders(entries, reject) : [...entries];
          params.learn(valid);
          return valid;
        },
        ...handshakeParts(result, info),
      };
    },
  };
}

/** Returns the tools whose declared headers are valid. */
async function withValidHeaders(
  entries: readonly unknown[],
  reject: (tool: string, reason: string) => void,
): Promise<unknown[]> {
  const valid: unknown[] = [];
  const pause = loopShare("background");
  for (const entry of entries) {
    const defect = isJsonObject(entry) ? paramHeaderDefect(entry.inputSchema) : undefined;
    if (defect === undefined) valid.push(entry);
    else reject(String((entry as McpObject).name), defect);
    const others = pause();
    if (others) await others;
  }
  return valid;
}

/** Prepares a channel for `initialize` after a `server/discover` that the server did not accept. */
export function stopSpeaking2026({ exchange }: ProtocolChannel): void {
  exchange.decorate = undefined;
  exchange.notifiesCancel = true;
}

/** Maximum number of versions in a message. */
const MAX_NAMED = 10;

/**
 * Makes the error for a server without a common version. The names of its versions are limited in number and length.
 */
export function unsupportedVersions(versions: readonly unknown[]): UpstreamError {
  const named = versions.slice(0, MAX_NAMED).map((version) => String(version).slice(0, 32));
  return new UpstreamError(
    `it supports the protocol versions ${named.join(", ")}, none of which the proxy supports`,
    HANDSHAKE,
  );
}

/** Adds to every further request of this channel what the protocol version requires. */
function speak({ exchange, transport }: ProtocolChannel, client: ClientInfo, params: ParamHeaders): void {
  const envelope = {
    [`${META}protocolVersion`]: REVISION,
    [`${META}clientInfo`]: { name: client.name, version: client.version },
  };
  exchange.decorate = (given, { asking, logs }) => ({
    ...given,
    ...(asking?.responses && { inputResponses: asking.responses }),
    ...(asking?.state !== undefined && { requestState: asking.state }),
    _meta: {
      ...(isJsonObject(given._meta) ? given._meta : undefined),
      ...envelope,
      // Only questions that this caller can answer are declared. (decisions §6)
      [`${META}clientCapabilities`]: asking?.capabilities ?? OWN_CAPABILITIES,
      ...(logs && { [`${META}logLevel`]: logs.level }),
    },
  });
  // Over HTTP, a request is cancelled by closing its response.
  exchange.notifiesCancel = transport.kind !== "http";
  transport.agree({
    protocolVersion: REVISION,
    headers: (request) => ({ ...routingHeaders(request.method, request.params), ...params.of(request.params) }),
  });
}

/**
 * The capabilities in the proxy's own requests, such as lists. Clients that show apps need the tools with an interface.
 */
const OWN_CAPABILITIES = { extensions: { [UI_EXTENSION]: UI_SETTINGS } };

/** Subscribes to changes of the lists, again after each interruption. Resolves with whether the server accepted. */
function subscribe({ exchange, handshake }: ListenChannel): Promise<boolean> {
  return new Promise((done) => {
    let waitMs: number = RENEW_MS[0];
    const { prompts, resources } = handshake?.capabilities ?? {};
    const notifications = {
      toolsListChanged: true,
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    };
    const { clock } = exchange;
    clock.after(CONFIRM_MS, () => done(false));
    const onAcknowledged = (params: McpObject) => {
      waitMs = RENEW_MS[0];
      done(isJsonObject(params.notifications) && params.notifications.toolsListChanged === true);
    };
    const again = () => {
      done(false);
      if (exchange.isOver) return;
      clock.after(waitMs, open);
      waitMs = Math.min(RENEW_MS[1], waitMs * 2);
    };
    const open = () => {
      if (exchange.isOver) return;
      const params = { notifications };
      const options = { timeoutMs: Number.POSITIVE_INFINITY, onAcknowledged };
      exchange.request("subscriptions/listen", params, options).then(again, again);
    };
    open();
  });
}
