import { part } from "../app.ts";
import { noInspector, type OpenInspector } from "../catalog/inspector.ts";

/** Scans listed tools and instructions for tool poisoning. Without a module that provides a scan, it finds nothing. */
export const toolInspector = part<OpenInspector>("toolInspector", () => noInspector);
