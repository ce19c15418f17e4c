import { mcpRules } from "./mcp-rules.ts";
import { mcpSurface } from "./mcp-surface.ts";
import { restEndpoints } from "./rest-endpoints.ts";
import { restRecords } from "./rest-records.ts";
import { restRules } from "./rest-rules.ts";

/** Section to its promises: id to one sentence. Ids are stable; tests cite them. */
export type Sections = Record<`${"000" | "001"} §${string}`, Record<string, string>>;

export interface Requirement {
  id: RequirementId;
  /** Document, section and where it helps rule: `000 §4.3 rule 5`. */
  section: string;
  text: string;
}

type IdsOf<D> = { [S in keyof D]: Extract<keyof D[S], string> }[keyof D];
export type RequirementId =
  | IdsOf<typeof restRecords>
  | IdsOf<typeof restEndpoints>
  | IdsOf<typeof restRules>
  | IdsOf<typeof mcpSurface>
  | IdsOf<typeof mcpRules>;

const PARTS: readonly Sections[] = [restRecords, restEndpoints, restRules, mcpSurface, mcpRules];

/** Every row and rule of both specification documents, in their order. */
export const requirements: readonly Requirement[] = PARTS.flatMap((part) =>
  Object.entries(part).flatMap(([section, rows]) =>
    Object.entries(rows).map(([id, text]) => ({ id: id as RequirementId, section, text })),
  ),
);
