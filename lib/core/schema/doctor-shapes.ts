import * as v from "valibot";

const about = v.description;

/** A problem found by `doctor`, and its remedy. */
export const DoctorFindingShape = v.object({
  code: v.pipe(v.string(), about("stable code, for scripts")),
  severity: v.picklist(["error", "warning", "info"]),
  title: v.pipe(v.string(), about("one-line summary")),
  detail: v.optional(v.pipe(v.string(), about("explanation"))),
  server: v.optional(v.pipe(v.string(), about("server concerned"))),
  docs: v.optional(v.pipe(v.string(), about("path of the section of the documentation that explains the code"))),
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

/** A problem or notice from `doctor`. Callers with a limited scope see only findings about their servers. */
export type DoctorFinding = v.InferOutput<typeof DoctorFindingShape>;

/** The remedy of a finding: in words, as a command line, as a request. */
export type DoctorRemedy = NonNullable<DoctorFinding["remedy"]>;
