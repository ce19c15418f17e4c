import * as v from "valibot";

const about = v.description;

/** Something that is not as it should be, and what to do about it. */
export const DoctorFindingShape = v.object({
  code: v.pipe(v.string(), about("stable code, for scripts")),
  severity: v.picklist(["error", "warning", "info"]),
  title: v.pipe(v.string(), about("one-line summary")),
  detail: v.optional(v.pipe(v.string(), about("explanation"))),
  server: v.optional(v.pipe(v.string(), about("server concerned"))),
  remedy: v.optional(
    v.object({
      action: v.pipe(v.string(), about("remedy in words")),
      command: v.optional(v.pipe(v.string(), about("command that applies the remedy or shows what it needs"))),
      route: v.optional(v.pipe(v.string(), about("endpoint that applies the remedy"))),
      params: v.optional(v.pipe(v.record(v.string(), v.string()), about("path parameters"))),
      body: v.optional(v.pipe(v.record(v.string(), v.unknown()), about("request body"))),
    }),
  ),
});

/** Something that is not as it should be, or that somebody should know. Callers with limited sight see only findings about their servers. */
export type DoctorFinding = v.InferOutput<typeof DoctorFindingShape>;

/** What to do about a finding: in words, as a command line, as a request. */
export type DoctorRemedy = NonNullable<DoctorFinding["remedy"]>;
