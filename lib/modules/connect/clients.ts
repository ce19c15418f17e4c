import type { Client } from "./client.ts";
import { amazonQ } from "./clients/amazon-q.ts";
import { amp } from "./clients/amp.ts";
import { antigravity } from "./clients/antigravity.ts";
import { auggie } from "./clients/auggie.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { claudeDesktop } from "./clients/claude-desktop.ts";
import { cline } from "./clients/cline.ts";
import { codex } from "./clients/codex.ts";
import { continueDev } from "./clients/continue.ts";
import { copilotCli } from "./clients/copilot-cli.ts";
import { copilotJetbrains } from "./clients/copilot-jetbrains.ts";
import { crush } from "./clients/crush.ts";
import { cursor } from "./clients/cursor.ts";
import { devin } from "./clients/devin.ts";
import { droid } from "./clients/droid.ts";
import { gemini } from "./clients/gemini.ts";
import { goose } from "./clients/goose.ts";
import { grok } from "./clients/grok.ts";
import { junie } from "./clients/junie.ts";
import { kilo } from "./clients/kilo.ts";
import { kimi } from "./clients/kimi.ts";
import { kiro } from "./clients/kiro.ts";
import { lmStudio } from "./clients/lm-studio.ts";
import { opencode } from "./clients/opencode.ts";
import { qwen } from "./clients/qwen.ts";
import { roo } from "./clients/roo.ts";
import { trae } from "./clients/trae.ts";
import { vscode, vscodeInsiders, vscodium } from "./clients/vscode.ts";
import { warp } from "./clients/warp.ts";
import { windsurf } from "./clients/windsurf.ts";
import { zed } from "./clients/zed.ts";

/** Every known MCP client, the most common first. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  vscodeInsiders,
  vscodium,
  windsurf,
  devin,
  codex,
  gemini,
  copilotCli,
  copilotJetbrains,
  opencode,
  zed,
  goose,
  cline,
  roo,
  kilo,
  continueDev,
  lmStudio,
  antigravity,
  kiro,
  junie,
  amazonQ,
  amp,
  auggie,
  crush,
  droid,
  grok,
  kimi,
  qwen,
  trae,
  warp,
];
