import type { FaultCode } from "../base/fault.ts";
import type { SettingsChange } from "../schema/settings-change.ts";
import { type WriteMode, writeSettings } from "../verbs/settings/write.ts";
import type { ConfigDocumentShape } from "./config-shapes.ts";
import type { EndpointCall } from "./endpoint.ts";
import { expectedRevisions, showRevision } from "./revision.ts";

/** The faults that every change of the configuration may throw. */
export const CONFIG_CHANGE_FAULTS = [
  "config_invalid",
  "changed_meanwhile",
  "management_disabled",
  "registries_locked",
  "config_broken",
] as const satisfies readonly FaultCode[];

/**
 * Writes the document in a request, if the configuration has the revision that the request names, and shows the result.
 */
export async function writeConfigChange(
  manner: WriteMode,
  {
    app,
    body,
    by,
    c,
    confirmed,
    allowsUnknown,
  }: Pick<EndpointCall<string, undefined, typeof ConfigDocumentShape>, "app" | "body" | "by" | "c"> & {
    confirmed?: boolean;
    allowsUnknown?: boolean;
  },
): Promise<SettingsChange> {
  const meant = { ...(confirmed && { confirmed }), ...(allowsUnknown && { allowsUnknown }) };
  const done = await writeSettings(app, manner, body, by, { expected: expectedRevisions(c), ...meant });
  showRevision(c, done.revision);
  return done;
}
