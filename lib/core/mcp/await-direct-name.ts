import type { App } from "../app.ts";
import { directCandidates } from "../catalog/direct-names.ts";
import { userConnections } from "../extension/user-connections.ts";
import { CONNECTION_WAIT_MS, connectionWaits, isConnecting } from "../gateway/connection-waits.ts";
import { serverReason } from "../gateway/tool-snapshot.ts";
import type { Caller } from "../schema/caller.ts";
import type { ExposedTools } from "./exposed-tools.ts";

interface AwaitedName {
  readonly caller: Caller;
  /** The direct-mode name, which no known tool has. */
  readonly name: string;
  readonly exposed: ExposedTools;
  readonly signal: AbortSignal;
  /** Returns the id of the tool with this name, if it is known now. */
  find(): string | undefined;
}

/**
 * Waits for a tool that is not known because its server has never listed its tools, and is connecting.
 *
 * @returns undefined if no server that the caller sees may list such a tool soon; otherwise the id of the tool, or the
 *   id that it would have if the server is still not ready, or undefined if the server has no such tool
 * @throws Fault `cancelled` if the client ends the request
 */
export function awaitDirectName(app: App, awaited: AwaitedName): Promise<string | undefined> | undefined {
  const { caller, name, exposed } = awaited;
  const { connectsAlone } = app.part(userConnections);
  const candidate = directCandidates(name).find(
    ({ id, server }) =>
      exposed.has({ id, server }) && isInitializing(app, caller, server) && !connectsAlone(caller, server),
  );
  return candidate && waitFor(app, awaited, candidate);
}

async function waitFor(
  app: App,
  { caller, signal, find }: AwaitedName,
  { id, server }: { id: string; server: string },
): Promise<string | undefined> {
  const isPending = () => find() === undefined && isInitializing(app, caller, server);
  await app.part(connectionWaits).wait({ server, isPending, timeoutMs: CONNECTION_WAIT_MS, signal });
  const entry = app.config.server(server);
  const isReady = !entry || serverReason(app, caller, entry) === undefined;
  return find() ?? (isReady ? undefined : id);
}

function isInitializing(app: App, caller: Caller, server: string): boolean {
  const entry = app.config.server(server);
  if (!entry || serverReason(app, caller, entry) !== "server_initializing") return false;
  return isConnecting(app.upstreams.get(server)?.status());
}
