import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { type App, part } from "../../core/app.ts";
import type { ConnectPlan } from "./plan.ts";

/** The key for precondition tokens: one for each process, created on demand and never stored (spec 000 §2.7). */
const previewKey = part("previewKey", () => randomBytes(32));

/** Binds a preview to its inputs: the file, the existing entry and the new entry. */
export function preconditionToken(app: App, plan: ConnectPlan): string {
  const { client, path, name, found, existing, raw } = plan;
  const mac = createHmac("sha256", app.part(previewKey));
  const parts = [
    client.id,
    path,
    name,
    found.state,
    found.state === "file" ? found.bytes : "",
    JSON.stringify(existing ?? null),
    JSON.stringify(raw),
  ];
  // Each part is preceded by its length, so that different lists of parts never give the same input.
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest("base64url");
}

/** Whether a token belongs to this plan. */
export function fits(app: App, plan: ConnectPlan, token: string): boolean {
  return timingSafeEqual(digest(token), digest(preconditionToken(app, plan)));
}

const digest = (text: string) => hash("sha256", text, "buffer");
