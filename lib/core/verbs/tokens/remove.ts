import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import { noSuchToken } from "./entry.ts";

/** Revokes and deletes a token; its name can be used again. @throws Fault no_such_record */
export async function removeToken(app: App, name: string, by: Actor): Promise<void> {
  await app.store.tokens.change(name, (row) => {
    if (!row) throw noSuchToken(name);
    return "remove";
  });
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_delete", token: name },
  });
}
