import type { App } from "../app.ts";
import type { ServerConfig } from "../config/schema.ts";
import { isDenied, isTrusted } from "../tools/snapshot.ts";

/**
 * How many of a server's tools wait for a person, and how many one has blocked. Denied tools wait for nobody, and neither
 * do those of a server whose tools a setting approves.
 */
export function reviewCounts(app: Pick<App, "catalog" | "config" | "store">, server: ServerConfig) {
  const counts = { pending_count: 0, changed_count: 0, blocked_count: 0 };
  const trusted = isTrusted(app, server);
  for (const { name, status, disabled } of app.catalog.of(server.name)) {
    if (disabled) counts.blocked_count++;
    else if (status === "approved" || trusted || isDenied(server, name)) continue;
    else if (status === "pending") counts.pending_count++;
    else counts.changed_count++;
  }
  return counts;
}
