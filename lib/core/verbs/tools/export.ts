import type { App } from "../../app.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ExportedTool } from "../../schema/exported-tool.ts";
import { listTools } from "./list.ts";

/** Returns all descriptions and schemas of one server (spec 000 §4.2). @throws Fault server_not_found, cancelled */
export async function exportTools(
  app: App,
  server: string,
  caller: Caller,
  signal?: AbortSignal,
): Promise<ExportedTool[]> {
  const { tools } = await listTools(app, server, caller, signal && { signal });
  return tools.map((tool) => ({
    server_name: tool.server_name,
    tool_name: tool.name,
    status: tool.approval_status,
    ...(tool.hash !== undefined && { hash: tool.hash }),
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    ...(tool.withheld && { withheld: tool.withheld }),
    schema: tool.schema,
    ...(tool.output_schema && { output_schema: tool.output_schema }),
    ...(tool.annotations && { annotations: tool.annotations }),
    enabled: !tool.disabled && !tool.config_denied,
    disabled: tool.disabled,
  }));
}

/**
 * Formats exported tools as text with one block for each tool. Line breaks in a description are indented, so that no
 * line of it looks like the start of a block.
 */
export function exportedToolsText(tools: readonly ExportedTool[]): string {
  return tools
    .map((tool) =>
      [
        `Tool: ${tool.tool_name}`,
        `Status: ${tool.status}${tool.enabled ? "" : " (disabled)"}`,
        ...(tool.hash !== undefined ? [`Hash: ${tool.hash}`] : []),
        ...(tool.withheld
          ? ["Hidden until a person has approved it"]
          : [
              `Description: ${tool.description.replaceAll(/\r?\n|\r/g, "\n  ")}`,
              `Schema: ${JSON.stringify(tool.schema)}`,
            ]),
        ...(tool.output_schema ? [`Output schema: ${JSON.stringify(tool.output_schema)}`] : []),
        ...(tool.annotations ? [`Annotations: ${JSON.stringify(tool.annotations)}`] : []),
        "",
      ].join("\n"),
    )
    .join("\n");
}
