import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { OutputSanitisation, SensitiveData } from "./config-blocks.ts";

/** Configuration of the detection of sensitive data. */
export const config = defineConfig(
  {
    sensitive_data_detection: [
      v.optional(SensitiveData, {}),
      hot,
      "detection of secrets and personal data in tool calls",
    ],
    output_sanitisation: [
      v.optional(OutputSanitisation, {}),
      hot,
      "changes to tool results before clients receive them",
    ],
  },
  { after: "docker_isolation" },
);
