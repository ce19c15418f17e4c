import { part } from "../app.ts";
import { noInspector, type OpenInspector } from "../catalog/inspector.ts";

/** Scans listed tools and instructions for poisoning; finds nothing unless a module provides a scanner. */
export const toolInspector = part<OpenInspector>("toolInspector", () => noInspector);
