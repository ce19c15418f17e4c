import { type McpObject, REVISIONS_2025, RpcError, UI_EXTENSION, UI_SETTINGS } from "../../schema/mcp.ts";
import { UpstreamError } from "../errors.ts";
import {
  type HandshakeOptions,
  type HandshakeResult,
  handshakeParts,
  type ProtocolChannel,
  type ProtocolFamily,
} from "./protocol-family.ts";

/**
 * Protocol versions 2024-11-05 to 2025-11-25, with `initialize`, optional sessions, `ping`, and a stream for messages
 * that belong to no request.
 */
export const protocol2025: ProtocolFamily = {
  name: "2025",

  async handshake(
    { exchange, transport }: ProtocolChannel,
    { client, capabilities = {}, timeoutMs, signal }: HandshakeOptions,
  ): Promise<HandshakeResult> {
    const { result } = await exchange.request("initialize", hello(client, capabilities), {
      timeoutMs,
      ...(signal && { signal }),
    });
    if (typeof result !== "object" || result === null)
      throw new UpstreamError("its response to initialize is not an object", HANDSHAKE);
    const { protocolVersion, serverInfo } = result as McpObject;
    if (typeof protocolVersion !== "string" || !KNOWN.has(protocolVersion))
      throw new UpstreamError(
        `it uses protocol version ${String(protocolVersion)}, which the proxy does not support`,
        HANDSHAKE,
      );
    transport.agree({ protocolVersion });
    exchange.takesQuestions = Object.keys(capabilities).length > 0;
    exchange.notify("notifications/initialized");
    return { family: protocol2025, protocolVersion, ...handshakeParts(result as McpObject, serverInfo) };
  },

  async ping({ exchange }, timeoutMs) {
    try {
      await exchange.request("ping", {}, { timeoutMs });
    } catch (error) {
      // A server that responds that it does not know `ping` is alive.
      if (!(error instanceof RpcError)) throw error;
    }
  },

  listen: ({ transport }) => transport.listen(),
};

const HANDSHAKE = { errorClass: "handshake_failed" } as const;

const KNOWN = new Set<string>(REVISIONS_2025);

/**
 * Makes the params of `initialize`. The same capabilities are declared for all callers; if a caller cannot be asked,
 * the proxy answers the question.
 */
const hello = (clientInfo: HandshakeOptions["client"], capabilities: McpObject): McpObject => ({
  protocolVersion: REVISIONS_2025[0],
  // Some clients show apps. Without this declaration, servers might hide the tools of their apps.
  capabilities: { ...capabilities, extensions: { [UI_EXTENSION]: UI_SETTINGS } },
  clientInfo: { name: clientInfo.name, version: clientInfo.version },
});
