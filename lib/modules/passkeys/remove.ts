import { endPasskeySessions } from "../../core/api/authenticate/panel-session.ts";
import type { App } from "../../core/app.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { Fault } from "./faults.ts";
import { passkeyEntry } from "./list.ts";
import type { Passkey, PasskeyEntry } from "./passkey.ts";
import { changePasskeys } from "./stored-passkeys.ts";

/** Removes a passkey and signs out the browsers that signed in with it. @throws Fault no_such_record */
export async function removePasskey(app: App, id: string, by: Actor): Promise<PasskeyEntry> {
  let removed: Passkey | undefined;
  await changePasskeys(app, (now) => {
    removed = now.find((one) => one.id === id);
    if (!removed) throw new Fault("no_such_record", { what: "passkey", id });
    return now.filter((one) => one.id !== id);
  });
  await endPasskeySessions(app, id);
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "passkey_remove", passkey: id, name: removed!.name, host: removed!.rpId },
  });
  return passkeyEntry(removed!);
}
