import type { FaultCode } from "../base/fault.ts";
import { type Manner, write } from "../settings/write.ts";
import { ChangeAnswer, DOCUMENT_LIMIT, Document } from "./config-shapes.ts";
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

/** What the two endpoints have in common that take a configuration, whole or in part (spec 000 §4.6). */
export const changesConfig = (manner: Manner) => ({
  access: "admin" as const,
  body: Document,
  bodyLimit: DOCUMENT_LIMIT,
  data: ChangeAnswer,
  faults: ["echoed_mask", ...CHANGE_FAULTS] as const,
  async run({ app, body, by, c }: Omit<Call<string, undefined, typeof Document>, "params">) {
    const done = await write(app, manner, body, by, expectedRevisions(c));
    showRevision(c, done.revision);
    return done;
  },
});
