import { part } from "../app.ts";
import { replicaSharing, type SoleWork } from "./replica-sharing.ts";

/** A proxy that is alone does all work itself. */
export const soleWork = part<SoleWork>(
  "soleWork",
  (app) => app.part(replicaSharing)?.soleWork ?? { run: (_, work, signal) => work(signal) },
);
