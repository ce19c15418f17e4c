import type { ClientSurvey } from "../../core/schema/client-survey.ts";

type Row = ClientSurvey["servers"][number];

/** A remark about a server of a survey, in one line. */
export interface SurveyRemark {
  /** `problem`: the server cannot work; `secret`: a value is in plain text; `note`: anything else. */
  kind: "problem" | "secret" | "note";
  text: string;
}

/** What a person should know about a server before it is imported, the most important first. */
export function surveyRemarks({ configured, entries, secrets, problem, warnings }: Row): SurveyRemark[] {
  return [
    ...(problem === undefined ? [] : [{ kind: "problem", text: problem } as const]),
    ...(configured ? [{ kind: "note", text: "already in the proxy" } as const] : []),
    ...(entries.length > 1 ? [{ kind: "note", text: `configured ${entries.length} times` } as const] : []),
    ...(secrets.length > 0 ? [{ kind: "secret", text: `secret in plain text: ${secrets.join(", ")}` } as const] : []),
    ...warnings.map((text) => ({ kind: "note", text }) as const),
  ];
}
