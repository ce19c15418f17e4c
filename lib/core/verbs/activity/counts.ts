import { part } from "../../app.ts";
import { type Counts, createCounts } from "../../store/counts.ts";

/** Caches summaries of the activity records and shares running counts between identical requests. */
export const activityCounts = part<Counts>("counts", () => createCounts());
