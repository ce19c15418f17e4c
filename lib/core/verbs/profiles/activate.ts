import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import { ACTIVE_PROFILE_KEY, activeProfile } from "./list.ts";

/**
 * Stores the default profile of views. It does not limit clients; tokens and paths do that (reference 3.10).
 *
 * @param name empty for all servers
 * @throws Fault profile_unknown
 */
export async function activateProfile(app: App, name: string, by: Actor): Promise<string> {
  const { profiles } = app.config.current();
  if (name !== "" && !profiles.some((profile) => profile.name === name))
    throw new Fault("profile_unknown", { profile: name.slice(0, 63), known: profiles.map((profile) => profile.name) });
  if (name === activeProfile(app)) return name;
  await app.store.meta.set(ACTIVE_PROFILE_KEY, name);
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "activate_profile", profile: name },
  });
  app.events.publish("active_profile.changed", { active_profile: name });
  return name;
}
