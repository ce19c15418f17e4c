import type { App } from "../../core/app.ts";
import { sweepGrants } from "./grants.ts";
import { oauthSettings } from "./settings.ts";

const SWEEP_MS = 10 * 60_000;

/** Removes the grants of clients that did not finish their sign-in, now and then. @returns a function that stops it */
export function startSweeping(app: App): () => void {
  if (!oauthSettings(app).enabled) return () => {};
  return app.clock.every(SWEEP_MS, () => app.log.catch("removing the tokens of clients", sweepGrants(app)));
}
