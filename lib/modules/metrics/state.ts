import { part } from "../../core/app.ts";
import { createMetrics, type Metrics } from "./create-metrics.ts";

/** The metrics of an App. */
export const metrics = part<Metrics>("metrics", (app) => createMetrics(app));
