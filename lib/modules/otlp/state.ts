import { part } from "../../core/app.ts";
import { createOtlp, type Otlp } from "./create-otlp.ts";

/** The export to an OpenTelemetry collector of an App. */
export const otlp = part<Otlp>("otlp", (app) => createOtlp(app));
