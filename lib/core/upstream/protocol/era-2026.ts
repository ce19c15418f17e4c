import { type JsonObject, META_PREFIX as META, REVISION_2026 as REVISION } from "../../schema/mcp.ts";
import { UpstreamError } from "../failures.ts";
import type { Outgoing } from "../transport.ts";
import { type ClientInfo, type Era, type Greeting, type GreetOptions, greetingParts, type Line } from "./era.ts";
import { isObject } from "./message.ts";
import { createParamHeaders, encoded, type ParamHeaders } from "./param-headers.ts";

/** How long an announced subscription may take to be confirmed. (ms) */
const CONFIRM_MS = 5000;
/** First and longest wait before a subscription that ended is opened again. (ms) */
const RENEW_MS = [1000, 30_000] as const;

/**
 * Revision 2026-07-28: no handshake and no session; every request says who asks and by which revision, and repeats
 * what it is about in headers; changes are subscribed to by a request that stays open.
 */
export const era2026: Era = {
  name: "2026",

  async greet(line: Line, { client, timeoutMs, signal }: GreetOptions): Promise<Greeting> {
    const params = createParamHeaders();
    speak(line, client, params);
    try {
      const { result } = await line.exchange.request("server/discover", {}, { timeoutMs, ...(signal && { signal }) });
      if (!isObject(result) || !Array.isArray(result.supportedVersions))
        throw new UpstreamError("its answer to server/discover names no revisions");
      if (!result.supportedVersions.includes(REVISION))
        throw new UpstreamError(
          `it speaks the revisions ${result.supportedVersions.join(", ")}, none of them known here`,
        );
      const info = isObject(result._meta) ? result._meta[`${META}serverInfo`] : undefined;
      return { era: era2026, protocolVersion: REVISION, learn: params.learn, ...greetingParts(result, info) };
    } catch (error) {
      line.exchange.dress = undefined;
      throw error;
    }
  },

  /** There is no ping; asking who it is costs as little. */
  async ping({ exchange }, timeoutMs) {
    await exchange.request("server/discover", {}, { timeoutMs });
  },

  listen: (line) => subscribe(line),
};

/** Makes every further request of this line carry what the revision wants. */
function speak({ exchange, transport }: Line, client: ClientInfo, params: ParamHeaders): void {
  const envelope = {
    [`${META}protocolVersion`]: REVISION,
    [`${META}clientInfo`]: { name: client.name, version: client.version },
  };
  exchange.dress = (given, asking) => ({
    ...given,
    ...(asking?.responses && { inputResponses: asking.responses }),
    ...(asking?.state !== undefined && { requestState: asking.state }),
    _meta: {
      ...(isObject(given._meta) ? given._meta : undefined),
      ...envelope,
      // Only what is really relayed is declared: what this very caller can be asked. (decisions §6)
      [`${META}clientCapabilities`]: asking?.capabilities ?? {},
    },
  });
  // Over HTTP a request is cancelled by closing its response.
  exchange.announcesCancel = transport.kind !== "http";
  transport.agree({
    protocolVersion: REVISION,
    headers: (request) => ({ ...standardHeaders(request), ...params.of(request.params) }),
  });
}

/** Which member of the params `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

function standardHeaders({ method, params }: Outgoing): Record<string, string> {
  const name = params[NAMED[method] ?? ""];
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": encoded(name) }) };
}

/** Subscribes to changes of the tool list and keeps doing so; resolves with whether the server agreed. */
function subscribe({ exchange }: Line): Promise<boolean> {
  return new Promise((done) => {
    let waitMs: number = RENEW_MS[0];
    const { clock } = exchange;
    clock.after(CONFIRM_MS, () => done(false));
    exchange.onAcknowledged = (params: JsonObject) => {
      waitMs = RENEW_MS[0];
      done(isObject(params.notifications) && params.notifications.toolsListChanged === true);
    };
    const again = () => {
      done(false);
      if (exchange.isOver) return;
      clock.after(waitMs, open);
      waitMs = Math.min(RENEW_MS[1], waitMs * 2);
    };
    const open = () => {
      if (exchange.isOver) return;
      const params = { notifications: { toolsListChanged: true } };
      exchange.request("subscriptions/listen", params, { timeoutMs: Number.POSITIVE_INFINITY }).then(again, again);
    };
    open();
  });
}
