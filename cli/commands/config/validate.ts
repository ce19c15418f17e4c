import { JsonTextError, parseJsonText } from "#lib/core/base/json-text.ts";
import { configPath } from "#lib/core/config/paths.ts";
import { checkConfig, isEmptyText, unknownKey } from "#lib/read-config.ts";
import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { readText } from "../../read-text.ts";

export default command({
  meta: {
    description: "Validate a configuration file; works without a running proxy",
    detail: "Exit codes: 0 valid; 2 invalid, and every problem is listed with its line.",
    examples: ["proxy config validate", "proxy config validate ./mcp_config.json"],
  },
  args: {
    file: {
      type: "positional",
      required: false,
      description: "file to validate, - for standard input (default: the one in use)",
    },
  },
  async run({ cli, args }) {
    const { config, dataDir } = cli.globals;
    const path = args.file ?? configPath({ path: config, dataDir, env: cli.env });
    const found = check(await readText(path, cli));
    await cli.show({ path, ...found }, ({ valid, errors, warnings }) =>
      [
        ...errors.map((problem) => `${path}:${place(problem)}`),
        ...warnings.map((remark) => `${path}:${place(remark)}`),
        `${path} ${valid ? "is valid" : "is invalid"}`,
      ].join("\n"),
    );
    return found.valid ? EXIT.ok : EXIT.usage;
  },
});

interface Remark {
  line?: number;
  field: string;
  message: string;
}

const place = ({ line, field, message }: Remark) =>
  `${line === undefined ? "" : `${line}:`} ${field === "" || message.startsWith(`${field} `) ? "" : `${field} `}${message}`;

function check(text: string): { valid: boolean; errors: Remark[]; warnings: Remark[] } {
  if (isEmptyText(text)) return { valid: false, errors: [{ field: "", message: "the file is empty" }], warnings: [] };
  try {
    const { value, lineOf } = parseJsonText(text);
    const checked = checkConfig(value);
    if (checked.ok) return { valid: true, errors: [], warnings: checked.unknown.map(unknownKey) };
    const errors = checked.problems.map(({ path, field, message }) => ({ line: lineOf(path), field, message }));
    return { valid: false, errors, warnings: [] };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { valid: false, errors: [{ line: error.line, field: "", message: error.message }], warnings: [] };
  }
}
