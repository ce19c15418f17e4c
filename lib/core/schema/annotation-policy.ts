import * as v from "valibot";

const filter = (description: string) => v.exactOptional(v.pipe(v.boolean(), v.description(description)));

/**
 * Excludes tools because of their annotations. The filters are listed in the order in which they are evaluated (spec
 * 000 §2.6).
 */
export const AnnotationPolicy = v.object({
  read_only_only: filter("exclude tools that do not declare that they only read"),
  exclude_destructive: filter("exclude tools that do not declare that they are not destructive"),
  exclude_open_world: filter("exclude tools that do not declare a closed world"),
});
export type AnnotationPolicy = Readonly<v.InferOutput<typeof AnnotationPolicy>>;
