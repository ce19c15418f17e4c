import type { ListedKind } from "../schema/item.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolDefinition } from "../schema/tool.ts";
import type { ListingServer, ToolInspector } from "./inspector.ts";
import { itemLocation, toolFormOf } from "./read-item.ts";

/** The offline scan of prompts, resources and templates. */
export interface ItemScans {
  scan(server: string, kind: ListedKind, definition: McpObject, hash: string): RuleReport;
  /** Does most of the work of `scan` in advance and in pieces; undefined if there is nothing to wait for. */
  prepare(kind: ListedKind, definition: McpObject, hash: string): Promise<void> | undefined;
}

/** Makes the scan of items. @param lister returns the server and its tools, for the scan */
export function createItemScans(inspector: ToolInspector, lister: (server: string) => ListingServer): ItemScans {
  const forms = new WeakMap<McpObject, ToolDefinition>();

  function formOf(kind: ListedKind, definition: McpObject): ToolDefinition {
    let form = forms.get(definition);
    if (!form) {
      form = toolFormOf(kind, definition);
      forms.set(definition, form);
    }
    return form;
  }

  return {
    scan(server, kind, definition, hash) {
      const report = inspector.reportFor(formOf(kind, definition), hash, lister(server));
      const findings = report.findings.map((finding) => ({ ...finding, location: itemLocation(finding.location) }));
      return { ...report, findings };
    },
    prepare: (kind, definition, hash) => inspector.prepareTool(formOf(kind, definition), hash),
  };
}
