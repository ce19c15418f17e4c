import { command } from "../../command.ts";
import { requireTool } from "../../find-tool.ts";
import { scanText } from "../../scan-text.ts";
import { quoted } from "../../self.ts";
import { argumentNames, argumentText, exampleArguments } from "../../tool-arguments.ts";
import { approvalOf, toolEffect } from "../../tool-entry-text.ts";

export default command({
  meta: {
    description: "Show a tool: description, arguments and an example call",
    detail: "With -o json, the complete definition.",
    examples: ["proxy tools show git:log", "proxy tools show git:log -o json"],
  },
  args: { tool: { type: "positional", names: "tools", description: "server:tool" } },
  async run({ cli, args: { tool: id } }) {
    const tool = await requireTool(cli, id);
    if (cli.globals.output !== "table") return cli.show(tool, () => "");
    const { schema, title, description, scan } = tool;
    const effect = toolEffect(tool);
    const names = argumentNames(schema);
    const facts = [approvalOf(tool), effect, tool.usage > 0 ? `used ${tool.usage} times in 30 days` : ""];
    await cli.show(
      tool,
      () => `${id}${title ? `: ${title}` : ""} (${facts.filter(Boolean).join(", ")})\n\n${description}\n`,
    );
    await cli.show(tool, () => ({
      columns: ["argument", "type", "description"],
      whole: ["argument"],
      rows: names.map((name) => {
        const { type, about } = argumentText(schema, name);
        return [name, type, about];
      }),
      empty: "It takes no arguments.",
    }));
    if (scan && scan.findings.length > 0) await cli.show(tool, () => `\n${scanText(scan)}`);
    cli.note(`\nExample: ${cli.self} call ${quoted(id)} ${exampleArguments(schema)}`.trimEnd());
  },
});
