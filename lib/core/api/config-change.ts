import type { FaultCode } from "../base/fault.ts";
import type { Change } from "../verbs/settings/change.ts";
import { type Manner, write } from "../verbs/settings/write.ts";
import type { Document } from "./config-shapes.ts";
import type { Call } from "./endpoint.ts";
import { expectedRevisions, showRevision } from "./revision.ts";

/** How every change of the configuration may fail. */
export const CHANGE_FAULTS = [
  "config_invalid",
  "changed_meanwhile",
  "management_disabled",
  "registries_locked",
  "config_broken",
] as const satisfies readonly FaultCode[];

/** Writes the document of a request, for the revision that it names, and shows the new one. */
export async function writeDocument(
  manner: Manner,
  {
    app,
    body,
    by,
    c,
    confirmed,
    allowsUnknown,
  }: Pick<Call<string, undefined, typeof Document>, "app" | "body" | "by" | "c"> & {
    confirmed?: boolean;
    allowsUnknown?: boolean;
  },
): Promise<Change> {
  const meant = { ...(confirmed && { confirmed }), ...(allowsUnknown && { allowsUnknown }) };
  const done = await write(app, manner, body, by, { expected: expectedRevisions(c), ...meant });
  showRevision(c, done.revision);
  return done;
}
