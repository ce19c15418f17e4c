import { verdictWord } from "#lib/modules/scan/rules/verdict-text.ts";
import type { Data } from "../../api.ts";
import { act, fresh, refresh } from "../../live.ts";
import type { Tone } from "../../parts/badge.tsx";
import type { Standing } from "../../parts/danger.ts";
import { confirm } from "../../parts/dialog.tsx";

export type Report = Data<"GET /api/v1/servers/{name}/scan/report">;
export type Severity = Report["findings"][number]["severity"];

export const STANDINGS: Record<Standing["status"], { tone: Tone; text: string }> = {
  clean: { tone: "ok", text: "Clean" },
  suspicious: { tone: "warn", text: "Suspicious" },
  dangerous: { tone: "bad", text: "Dangerous" },
  not_scanned: { tone: "off", text: "Not scanned" },
  scanning: { tone: "info", text: "Scanning" },
};

export const SEVERITIES: Record<Severity, Tone> = {
  critical: "bad",
  high: "bad",
  medium: "warn",
  low: "info",
  info: "info",
};

/** The verdict about a server for a badge: `Clean`, `Low risk`, `Dangerous`. */
export function standingText({ status, risk_score }: Pick<Standing, "status" | "risk_score">): string {
  if (status === "not_scanned" || status === "scanning") return STANDINGS[status].text;
  const word = verdictWord({ verdict: status, risk_score });
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const look = () => refresh(/security|scan|servers|tools/);

export async function scan(name: string): Promise<void> {
  await act("POST /api/v1/servers/{name}/scan", { params: { name }, body: {} });
  look();
  await fresh("GET /api/v1/servers/{name}/scan/status", { params: { name } });
}

export async function cancel(name: string): Promise<void> {
  await act(
    "POST /api/v1/servers/{name}/scan/cancel",
    { params: { name } },
    { done: `The scan of ${name} is stopped` },
  );
  look();
}

export async function scanAll(): Promise<void> {
  await act("POST /api/v1/security/scan-all", { body: {} });
  look();
}

export async function cancelAll(): Promise<void> {
  await act("POST /api/v1/security/cancel-all", {}, { done: "Scanning is stopped" });
  look();
}

/** Puts a server into quarantine and blocks its waiting tools, after confirmation. */
export async function reject(name: string): Promise<void> {
  const yes = await confirm({
    title: `Reject ${name}?`,
    consequence:
      "The proxy puts the server into quarantine and blocks its pending tools. Clients cannot call them. You can approve the server later.",
    verb: "Reject",
    danger: true,
  });
  if (!yes) return;
  await act("POST /api/v1/servers/{name}/security/reject", { params: { name } }, { done: `${name} is rejected` });
  look();
}
