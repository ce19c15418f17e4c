import type { App } from "../../app.ts";
import type { ReviewState } from "../../policy/hidden.ts";

/** Returns whether a server waits for a review or a confirmation; undefined if it is not configured. */
export function serverReview({ config }: Pick<App, "config">, name: string): ReviewState | undefined {
  const server = config.server(name);
  return server && { quarantined: config.quarantined(server), held: server.held === true };
}
