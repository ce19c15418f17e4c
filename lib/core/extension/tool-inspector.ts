import { part } from "../app.ts";
import { noInspector, type OpenInspector } from "../catalog/inspector.ts";

/** Looks for poison in what servers list; finds nothing, until a module provides it. */
export const toolInspector = part<OpenInspector>("toolInspector", () => noInspector);
