import * as v from "valibot";
import { LISTED_KINDS } from "./item.ts";

const about = v.description;

/** The significance of a difference, least significant first. */
export const DRIFT_CLASSES = ["cosmetic", "text", "narrowing", "widening", "capability"] as const;

const DriftClass = v.pipe(
  v.picklist(DRIFT_CLASSES),
  about(
    "`cosmetic`; `text`: changes text that models read; `narrowing`: accepts less; `widening`: accepts more; `capability`: can do more",
  ),
);
export type DriftClass = v.InferOutput<typeof DriftClass>;

/** One difference between a lock file and the current servers. */
const Drift = v.object({
  server: v.string(),
  tool: v.exactOptional(v.string()),
  kind: v.exactOptional(v.pipe(v.picklist(LISTED_KINDS), about("with `item`: what differs is no tool"))),
  item: v.exactOptional(v.pipe(v.string(), about("name, URI or URI template"))),
  at: v.pipe(v.string(), about("member that differs; empty if the whole entry differs")),
  class: DriftClass,
  what: v.string(),
});
export type Drift = v.InferOutput<typeof Drift>;

/** The description of a difference, without the server and tool. */
export type Difference = Pick<Drift, "at" | "class" | "what">;

/** The result of comparing the servers with a lock file. */
export const LockVerification = v.object({
  in_step: v.boolean(),
  worst: v.exactOptional(DriftClass),
  drifts: v.array(Drift),
  unverified: v.pipe(
    v.array(v.object({ server: v.string(), what: v.string() })),
    about("facts that are unknown here and were not compared"),
  ),
});
export type LockVerification = v.InferOutput<typeof LockVerification>;

/**
 * A fact that could not be compared because it is not known now. It is not a difference, but nothing is assured either.
 */
export type Unverified = LockVerification["unverified"][number];
