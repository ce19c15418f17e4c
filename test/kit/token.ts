import type { App } from "#lib/core/app.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import type { NewToken } from "#lib/core/schema/token-entry.ts";
import { createToken } from "#lib/core/verbs/tokens/create.ts";

/** Issues an agent token and returns its secret. */
export async function issue(app: App, wanted: Partial<NewToken> = {}): Promise<string> {
  const by = { caller: INTERNAL_CALLER, origin: { source: "internal" as const, requestId: "r-token" } };
  const { token } = await createToken(app, { name: "bot", ...wanted }, by);
  return token;
}

/** The header with a credential. */
export const shows = (token: string) => ({ "x-api-key": token });
