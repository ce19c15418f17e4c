import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { App, Boot } from "#lib/core/app.ts";
import type { ListenerKind } from "#lib/core/schema/caller.ts";
import type { TokenRow } from "#lib/core/schema/token.ts";
import { TEST_KEY, type TestApp, type TestOptions } from "./app.ts";
import { program } from "./mcp.ts";
import { putToken } from "./store.ts";
import { issue } from "./token.ts";

/** Two real servers; the scope of the token is `alpha`, and so is the profile `front`. */
export const WORLD: TestOptions = {
  connect: true,
  servers: [program("alpha"), program("beta")],
  config: {
    enable_socket: true,
    profiles: [
      { name: "front", servers: ["alpha"] },
      { name: "back", servers: ["beta"] },
    ],
  },
};

/** A kind of requester: the request headers and the listener. */
export interface Tier {
  name: string;
  headers: Record<string, string>;
  listener: ListenerKind;
}

/** All kinds of requesters, each with a real credential. */
export async function everybody(app: App): Promise<Tier[]> {
  const all = ["read", "write", "destructive"] as const;
  const key = (name: string, token: string): Tier => ({ name, headers: { "x-api-key": token }, listener: "tcp" });
  const ended = async (name: string, how: Partial<TokenRow>) => {
    const token = await issue(app, { name, permissions: [...all] });
    await putToken(app.store.tokens, { ...app.store.tokens.get(name)!, ...how });
    return key(name, token);
  };
  return [
    key("admin", TEST_KEY),
    { name: "socket", headers: {}, listener: "socket" },
    key("full", await issue(app, { name: "full", permissions: [...all] })),
    key("write", await issue(app, { name: "write", permissions: ["read", "write"] })),
    key("read", await issue(app, { name: "read" })),
    key("scoped", await issue(app, { name: "scoped", permissions: [...all], allowed_servers: ["alpha"] })),
    key("pinned", await issue(app, { name: "pinned", permissions: [...all], profile_pin: "front" })),
    { name: "nobody", headers: {}, listener: "tcp" },
    key("wrong", "wrong-key"),
    await ended("revoked", { revokedAt: 1 }),
    await ended("expired", { expiresAt: app.clock.now() }),
  ];
}

/** The stored script `both` of the matrix: whether the caller may call a tool of either server. */
export const TWO_SERVERS_SCRIPT = `[call_tool("alpha", "echo", {}).ok, call_tool("beta", "echo", {}).ok].join()`;

/** Stores a script beside the configuration. */
export function storeScript(app: Pick<TestApp, "dir">, name: string, source: string): void {
  mkdirSync(join(app.dir, "scripts"), { recursive: true });
  writeFileSync(join(app.dir, "scripts", `${name}.js`), source);
}

/** Where requests enter: the listener's address, and the local socket's path. */
export type Entrance = Pick<Boot, "listenAddr" | "socketPath">;

/** Sends one request to the tier's listener; an endless response is closed after its headers. */
export function send(
  at: App | Entrance,
  tier: Tier,
  route: string,
  body?: object,
  extra: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const [method, path] = route.split(" ") as [string, string];
  const raw = body && JSON.stringify(body);
  const { listenAddr, socketPath } = "boot" in at ? at.boot : at;
  const [host, port] = listenAddr.split(":");
  const to = tier.listener === "socket" ? { socketPath } : { host, port };
  const headers = {
    ...(raw && { "content-type": "application/json", "content-length": String(Buffer.byteLength(raw)) }),
    accept: "application/json, text/event-stream",
    ...tier.headers,
    ...extra,
  };
  return new Promise((done, fail) => {
    const req = request({ ...to, method, path, headers, agent: false }, (res) => {
      const status = res.statusCode ?? 0;
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (part) => {
        text += part;
      });
      res.on("end", () => done({ status, text }));
      res.on("error", fail);
      if (method === "GET" && res.headers["content-type"]?.startsWith("text/event-stream")) {
        res.removeAllListeners("error").on("error", () => {});
        res.destroy();
        done({ status, text: "" });
      }
    });
    req.on("error", fail);
    req.end(raw);
  });
}
