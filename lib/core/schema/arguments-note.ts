import * as v from "valibot";

/** The result of checking a call's arguments, as stored in the metadata of the call's record. */
export const ArgumentsNote = v.object({
  argument_problems: v.exactOptional(v.pipe(v.array(v.string()), v.description("descriptions of the mismatches"))),
  arguments_unchecked: v.exactOptional(
    v.pipe(v.string(), v.description("why all or some of the arguments were not checked")),
  ),
});
export type ArgumentsNote = v.InferOutput<typeof ArgumentsNote>;
