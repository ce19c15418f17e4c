import { part } from "../../app.ts";
import { type Counts, createCounts } from "../../store/counts.ts";

/** Summaries of the activity records, shared by those who ask the same. */
export const activityCounts = part<Counts>("counts", () => createCounts());
