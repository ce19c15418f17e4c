import { type JsonObject, REVISIONS_2025, RpcError } from "../../schema/mcp.ts";
import { UpstreamError } from "../failures.ts";
import { type Era, type Greeting, type GreetOptions, greetingParts, type Line } from "./era.ts";

/** Revisions 2024-11-05 to 2025-11-25: initialize, perhaps a session, ping, a stream of the server's own. */
export const era2025: Era = {
  name: "2025",

  async greet({ exchange, transport }: Line, { client, timeoutMs, signal }: GreetOptions): Promise<Greeting> {
    const { result } = await exchange.request("initialize", hello(client), { timeoutMs, ...(signal && { signal }) });
    if (typeof result !== "object" || result === null) throw new UpstreamError("its answer to initialize is no object");
    const { protocolVersion, serverInfo } = result as JsonObject;
    if (typeof protocolVersion !== "string" || !KNOWN.has(protocolVersion))
      throw new UpstreamError(`it speaks protocol revision ${String(protocolVersion)}, which is not known here`);
    transport.agree({ protocolVersion });
    exchange.notify("notifications/initialized");
    return { era: era2025, protocolVersion, ...greetingParts(result as JsonObject, serverInfo) };
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

const KNOWN = new Set<string>(REVISIONS_2025);

/** Only capabilities that are really relayed are declared: none. (decisions §6) */
const hello = (clientInfo: GreetOptions["client"]): JsonObject => ({
  protocolVersion: REVISIONS_2025[0],
  capabilities: {},
  clientInfo: { name: clientInfo.name, version: clientInfo.version },
});
