import * as v from "valibot";
import { defineConfig, hot, restart } from "../../core/config/config-keys.ts";
import { integer } from "../../core/config/fields.ts";

const about = v.description;

const CodeCeilings = v.looseObject({
  timeout_ms: v.optional(v.pipe(integer(1, 600_000), about("maximum timeout (ms)")), 600_000),
  max_tool_calls: v.optional(v.pipe(integer(0, 1_000_000_000), about("maximum number of tool calls; 0: no limit")), 0),
});

/** Code execution. */
export const config = defineConfig(
  {
    code_execution_timeout_ms: [
      v.optional(integer(1, 600_000), 120_000),
      hot,
      "timeout of an execution if the request sets none (ms)",
    ],
    code_execution_max_tool_calls: [
      v.optional(integer(0, 1_000_000_000), 0),
      hot,
      "maximum number of tool calls of one execution if the request sets none; 0: no limit",
    ],
    code_execution_queue_timeout_ms: [
      v.optional(integer(0, 600_000), 30_000),
      hot,
      "maximum time that a script waits for a free sandbox (ms), not counted as execution time; 0: it does not wait",
    ],
    code_execution_ceilings: [
      v.optional(CodeCeilings, {}),
      hot,
      "maximum values that a request may set instead of the defaults",
    ],
    code_execution_pool_size: [
      v.optional(integer(1, 100), 10),
      restart,
      "maximum number of concurrent sandboxes; a caller that is not an administrator can use at most half of them",
    ],
    code_execution_max_parallel: [
      v.optional(integer(1, 32), 8),
      hot,
      "number of concurrent calls of `call_tools` if the script sets none",
    ],
  },
  { after: "enable_code_execution" },
);
