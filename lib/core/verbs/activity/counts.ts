import { part } from "../../app.ts";
import { type Counts, createCounts } from "../../store/counts.ts";

/** Summaries of the activity records, shared by identical requests. */
export const activityCounts = part<Counts>("counts", () => createCounts());
