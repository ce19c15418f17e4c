import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { Clock } from "../../core/base/clock.ts";
import { issueText, plainIssueText } from "../../core/schema/issue.ts";
import type { McpObject, Progress, ToolAnnotations } from "../../core/schema/mcp.ts";

/** The context of one call of a demo tool. */
interface DemoCall {
  clock: Clock;
  signal: AbortSignal;
  progress(progress: Progress): void;
}

export interface DemoTool {
  readonly name: string;
  /** The tool's definition in `tools/list`. */
  readonly listed: McpObject;
  /** @returns text for the content block, or an object that also becomes `structuredContent` */
  run(input: unknown, call: DemoCall): Promise<string | McpObject>;
}

interface DemoToolSpec<S extends v.GenericSchema> {
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: S;
  output?: v.GenericSchema;
  run(input: v.InferOutput<S>, call: DemoCall): string | McpObject | Promise<string | McpObject>;
}

/** Declares one tool of the demo server; arguments are validated against `input` before it runs. */
export function demoTool<S extends v.GenericSchema>(name: string, spec: DemoToolSpec<S>): DemoTool {
  const { title, description, annotations, input, output } = spec;
  return {
    name,
    listed: {
      name,
      title,
      description,
      inputSchema: schemaOf(input),
      ...(output && { outputSchema: schemaOf(output) }),
      annotations,
    },
    async run(given, call) {
      const checked = v.safeParse(input, given, { message: plainIssueText });
      if (!checked.success) throw new Error(issueText(checked.issues));
      return spec.run(checked.output, call);
    },
  };
}

function schemaOf(schema: v.GenericSchema): McpObject {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: "ignore", typeMode: "input" });
  return rest as McpObject;
}
