import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A registry on a free port of 127.0.0.1, for one test. */
export interface TestRegistry {
  /** The URL without a path. */
  readonly url: string;
  /** Path and query of all received requests. */
  readonly asked: string[];
  /** The listed servers; tests may change them. */
  servers: object[];
  /** Handles a request instead of the registry if it returns true. */
  answer?: ((path: string, response: ServerResponse) => boolean) | undefined;
  stop(): Promise<void>;
}

/** A server in the official format. */
export const server = (name: string, more: object = {}) => ({
  server: { name, description: `does ${name}`, version: "1.0.0", ...more },
  _meta: { "io.modelcontextprotocol.registry/official": { status: "active", isLatest: true } },
});

export const npmPackage = (identifier: string, more: object = {}) => ({
  registryType: "npm",
  identifier,
  version: "1.0.0",
  transport: { type: "stdio" },
  ...more,
});

/** Starts a registry with the official protocol at `/v0.1/servers`: pages of `pageSize`, cursors, search in names. */
export async function testRegistry(t: TestContext, servers: object[], pageSize = 100): Promise<TestRegistry> {
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://registry");
    registry.asked.push(url.pathname + url.search);
    if (registry.answer?.(url.pathname + url.search, response)) return;
    if (url.pathname !== "/v0.1/servers") return void response.writeHead(404).end("{}");
    const search = (url.searchParams.get("search") ?? "").toLowerCase();
    const all = registry.servers.filter((one) => nameOf(one).toLowerCase().includes(search));
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const page = all.slice(from, from + pageSize);
    const metadata = {
      count: page.length,
      ...(all.length > from + pageSize && { nextCursor: String(from + pageSize) }),
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ servers: page, metadata }));
  });
  await new Promise<void>((go) => http.listen(0, "127.0.0.1", go));
  let stopped: Promise<void> | undefined;
  const registry: TestRegistry = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked: [],
    servers,
    stop() {
      stopped ??= new Promise((go) => {
        http.close(() => go());
        http.closeAllConnections();
      });
      return stopped;
    },
  };
  t.after(() => registry.stop());
  return registry;
}

const nameOf = (one: object): string => String((one as { server?: { name?: unknown } } | null)?.server?.name ?? "");

/** A configuration with this registry under the name `ours`. */
export const ours = ({ url }: Pick<TestRegistry, "url">) => ({
  allow_private_registry_fetch: true,
  registries: [{ id: "ours", name: "Ours", url, servers_url: `${url}/v0.1/servers` }],
});
