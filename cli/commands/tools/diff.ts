import { command } from "../../command.ts";
import { splitTool } from "../../ids.ts";
import { lineDiff } from "../../line-diff.ts";
import { scanText } from "../../scan-text.ts";

export default command({
  meta: { description: "Compare the approved definition of a tool with the current one" },
  args: { tool: { type: "positional", names: "tools", description: "server:tool" } },
  async run({ cli, args }) {
    const { server, tool } = splitTool(args.tool);
    const diff = await cli.call("GET /api/v1/servers/{name}/tools/{tool}/diff", { params: { name: server, tool } });
    const parts: [what: string, before: string, now: string][] = [
      ["title", diff.previous_title, diff.current_title],
      ["description", diff.previous_description, diff.current_description],
      ["input schema", diff.previous_schema, diff.current_schema],
      ["output schema", diff.previous_output_schema, diff.current_output_schema],
      ["annotations", diff.previous_annotations, diff.current_annotations],
      ["icons", diff.previous_icons, diff.current_icons],
      ["_meta", diff.previous_meta, diff.current_meta],
    ];
    await cli.show(diff, () => {
      const found = diff.scan && diff.scan.findings.length > 0 ? `\n\n${scanText(diff.scan)}` : "";
      const changed = parts.filter(([, before, now]) => before !== now);
      if (changed.length === 0)
        return `${args.tool} (${diff.status}): no difference from the approved definition${found}`;
      const blocks = changed.map(([what, before, now]) => `${what}:\n${lineDiff(before, now)}`);
      return `${args.tool} (${diff.status})\n\n${blocks.join("\n\n")}${found}`;
    });
  },
});
