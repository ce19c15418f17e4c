import type { Client } from "./client.ts";
import { clients } from "./clients.gen.ts";

/** The most common first; the others follow in the order of their ids. */
const COMMON = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "vscode-insiders",
  "vscodium",
  "windsurf",
  "devin",
  "codex",
  "gemini",
  "copilot-cli",
  "copilot-jetbrains",
  "opencode",
  "zed",
  "goose",
  "cline",
  "roo",
  "kilo",
  "continue",
  "lm-studio",
  "antigravity",
  "kiro",
  "junie",
];

/** Every known MCP client (`clients/`), the most common first. */
export const CLIENTS: readonly Client[] = clients.toSorted((a, b) => rank(a) - rank(b));

function rank({ id }: Client): number {
  const at = COMMON.indexOf(id);
  return at < 0 ? COMMON.length : at;
}
