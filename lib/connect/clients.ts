import type { Client } from "./client.ts";
import { amazonQ } from "./clients/amazon-q.ts";
import { amp } from "./clients/amp.ts";
import { antigravity } from "./clients/antigravity.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { claudeDesktop } from "./clients/claude-desktop.ts";
import { cline, clineCli } from "./clients/cline.ts";
import { codex } from "./clients/codex.ts";
import { continueDev } from "./clients/continue.ts";
import { copilotCli } from "./clients/copilot-cli.ts";
import { crush } from "./clients/crush.ts";
import { cursor } from "./clients/cursor.ts";
import { droid } from "./clients/droid.ts";
import { gemini } from "./clients/gemini.ts";
import { goose } from "./clients/goose.ts";
import { junie } from "./clients/junie.ts";
import { kiro } from "./clients/kiro.ts";
import { lmStudio } from "./clients/lm-studio.ts";
import { opencode } from "./clients/opencode.ts";
import { qwen } from "./clients/qwen.ts";
import { roo } from "./clients/roo.ts";
import { vscode, vscodeInsiders } from "./clients/vscode.ts";
import { windsurf } from "./clients/windsurf.ts";
import { zed } from "./clients/zed.ts";

/** Every known MCP client, the most common first. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  vscodeInsiders,
  windsurf,
  codex,
  gemini,
  copilotCli,
  opencode,
  zed,
  goose,
  cline,
  clineCli,
  roo,
  continueDev,
  lmStudio,
  antigravity,
  kiro,
  junie,
  amazonQ,
  amp,
  crush,
  droid,
  qwen,
];
