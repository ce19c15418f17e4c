import { part } from "../../core/app.ts";
import { createSinks, type Sinks } from "./create-sinks.ts";

/** The running sinks, by which REST, the command line and the doctor report on them. */
export const recordSinks = part<Sinks>("sinks", (app) => createSinks(app));
