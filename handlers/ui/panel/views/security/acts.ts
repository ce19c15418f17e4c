import { call, type Data, Refused, reasonOf } from "../../api.ts";
import { act, fresh, refresh } from "../../live.ts";
import type { Tone } from "../../parts/badge.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toast.tsx";

export type Standing = Data<"GET /api/v1/security/overview">["by_server"][number];
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

const look = () => refresh(/security|scan|servers|tools/);

export async function scan(name: string): Promise<void> {
  await act("POST /api/v1/servers/{name}/scan", { params: { name }, body: {} });
  look();
  await fresh("GET /api/v1/servers/{name}/scan/status", { params: { name } });
}

export async function cancel(name: string): Promise<void> {
  await act("POST /api/v1/servers/{name}/scan/cancel", { params: { name } }, { done: `The scan of ${name} is ended` });
  look();
}

export async function scanAll(): Promise<void> {
  await act("POST /api/v1/security/scan-all", { body: {} });
  look();
}

export async function cancelAll(): Promise<void> {
  await act("POST /api/v1/security/cancel-all", {}, { done: "Scanning is ended" });
  look();
}

/** Releases a server and approves what waits of its tools; against its scan only after a second question. */
export async function approve(name: string): Promise<void> {
  const yes = await confirm({
    title: `Approve ${name}?`,
    consequence: "It leaves quarantine, and its waiting tools can be called as they were scanned.",
    verb: "Approve",
  });
  if (!yes) return;
  const params = { name };
  try {
    await call("POST /api/v1/servers/{name}/security/approve", { params, body: { force: false } });
    toast(`${name} is approved`);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "scan_blocks") toast(reasonOf(error), { tone: "bad" });
    else if (
      await confirm({
        title: `Approve ${name} all the same?`,
        consequence: `${error.message}. If you approve it now, clients can call its tools in spite of that.`,
        verb: "Approve all the same",
        danger: true,
        typed: name,
      })
    )
      await act(
        "POST /api/v1/servers/{name}/security/approve",
        { params, body: { force: true } },
        { done: `${name} is approved against its scan` },
      );
  }
  look();
}

export async function reject(name: string): Promise<void> {
  const yes = await confirm({
    title: `Reject ${name}?`,
    consequence: "It goes into quarantine, and its waiting tools are blocked. You can approve it later.",
    verb: "Reject",
    danger: true,
  });
  if (!yes) return;
  await act("POST /api/v1/servers/{name}/security/reject", { params: { name } }, { done: `${name} is rejected` });
  look();
}
