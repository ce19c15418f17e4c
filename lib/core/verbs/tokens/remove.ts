import type { App } from "../../app.ts";
import { record } from "../../gateway/record.ts";
import type { Actor } from "../../schema/caller.ts";
import { find } from "./entry.ts";

/** Ends a token at once and forgets it; its name is free again. @throws Fault no_such_record */
export async function remove(app: App, name: string, by: Actor): Promise<void> {
  find(app, name);
  await app.store.tokens.remove(name);
  record(app, by, { type: "config_change", status: "success", metadata: { action: "token_delete", token: name } });
}
