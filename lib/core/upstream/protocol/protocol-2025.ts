import { type McpObject, REVISIONS_2025, RpcError, UI_EXTENSION, UI_SETTINGS } from "../../schema/mcp.ts";
import { UpstreamError } from "../errors.ts";
import {
  type HandshakeOptions,
  type HandshakeResult,
  handshakeParts,
  type ProtocolChannel,
  type ProtocolFamily,
} from "./protocol-family.ts";

/** Revisions 2024-11-05 to 2025-11-25: initialize, perhaps a session, ping, a stream of the server's own. */
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
      // Who answers that it knows no ping is alive.
      if (!(error instanceof RpcError)) throw error;
    }
  },

  listen: ({ transport }) => transport.listen(),
};

const HANDSHAKE = { errorClass: "handshake_failed" } as const;

const KNOWN = new Set<string>(REVISIONS_2025);

/** What may be asked for is declared for all callers alike: those who cannot be asked are answered for. */
const hello = (clientInfo: HandshakeOptions["client"], capabilities: McpObject): McpObject => ({
  protocolVersion: REVISIONS_2025[0],
  // Servers may hide the tools of apps from clients that show none; here some clients do.
  capabilities: { ...capabilities, extensions: { [UI_EXTENSION]: UI_SETTINGS } },
  clientInfo: { name: clientInfo.name, version: clientInfo.version },
});
