import * as v from "valibot";

const about = v.description;

/** Something that is not as it should be, and what to do about it. */
export const FindingShape = v.object({
  code: v.pipe(v.string(), about("stable; for scripts")),
  severity: v.picklist(["error", "warning", "info"]),
  title: v.pipe(v.string(), about("one line")),
  detail: v.optional(v.pipe(v.string(), about("what it means"))),
  server: v.optional(v.pipe(v.string(), about("the server it is about"))),
  remedy: v.optional(
    v.object({
      action: v.pipe(v.string(), about("what to do, in words")),
      command: v.optional(v.pipe(v.string(), about("a command line that does it, or shows what is needed for it"))),
      route: v.optional(v.pipe(v.string(), about("an endpoint that does it"))),
      params: v.optional(v.pipe(v.record(v.string(), v.string()), about("what goes into its path"))),
      body: v.optional(v.pipe(v.record(v.string(), v.unknown()), about("what to send"))),
    }),
  ),
});

/** Something that is not as it should be, or that somebody should know. Callers with limited sight see only findings about their servers. */
export type DoctorFinding = v.InferOutput<typeof FindingShape>;

/** What to do about a finding: in words, as a command line, as a request. */
export type DoctorRemedy = NonNullable<DoctorFinding["remedy"]>;
