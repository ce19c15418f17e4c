import { call, type Data, Refused, reasonOf } from "../api.ts";
import { fresh, refresh } from "../live.ts";
import { ask, confirm } from "../parts/dialog.tsx";
import type { Server } from "../parts/health.tsx";
import { toast } from "../parts/toast.tsx";
import { Review } from "./review.tsx";
import type { ReviewDecision } from "./review-decision.ts";
import { amount } from "./review-words.ts";

type Outcome = Data<"POST /api/v1/servers/{name}/unquarantine">["release"];

/** Whether a server can be released in the panel: only if it has listed something to review. */
export const isReleasable = (server: Server): boolean =>
  server.quarantined && server.held !== true && (server.tool_count > 0 || server.health.action === "approve");

/** Releases a server from quarantine and approves what the user has seen and ticked. */
export async function release(server: Server): Promise<void> {
  const { name } = server;
  const decision = await ask<ReviewDecision>((answer) => <Review server={server} act="release" answer={answer} />);
  if (!decision) return;
  await send(async () => {
    const data = await call("POST /api/v1/servers/{name}/unquarantine", { params: { name }, body: decision });
    report(`${name} is released`, data.release, {
      label: "Undo",
      run: () => call("POST /api/v1/servers/{name}/quarantine", { params: { name } }).then(look),
    });
  });
}

/** Approves the waiting tools of a server that the user has seen and ticked. */
export async function approveWaiting(server: Server): Promise<void> {
  const { name } = server;
  const decision = await ask<ReviewDecision>((answer) => (
    <Review server={server} act="approve tools" answer={answer} />
  ));
  if (!decision) return;
  await send(async () => {
    const tools = Object.keys(decision.pins);
    if (tools.length === 0) return;
    const { items: _, ...accepted } = decision;
    const data = await call("POST /api/v1/servers/{name}/tools/approve", {
      params: { name },
      body: { tools, approve_all: false, ...accepted },
    });
    report(name, { approved: data.tools, pending: data.pending ?? [] });
  });
}

/** Approves a server after its scan with the same dialog; against the verdict only after a second question. */
export async function approveScanned(server: Server): Promise<void> {
  const { name } = server;
  const decision = await ask<ReviewDecision>((answer) => (
    <Review server={server} act={server.quarantined ? "release" : "approve server"} answer={answer} />
  ));
  if (!decision) return;
  const approve = async (force: boolean) => {
    const data = await call("POST /api/v1/servers/{name}/security/approve", {
      params: { name },
      body: { force, ...decision },
    });
    report(`${name} is approved${force ? " despite its scan" : ""}`, data.release);
  };
  await send(async () => {
    try {
      await approve(false);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "scan_blocks") throw error;
      const sure = await confirm({
        title: `Approve ${name} despite its scan?`,
        consequence: `${error.message}. If you approve it, the server leaves quarantine anyway, and clients can call the tools that you selected.`,
        verb: "Approve despite the scan",
        danger: true,
        typed: name,
      });
      if (sure) await approve(true);
    }
  });
}

async function send(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
  }
  await look();
}

async function look(): Promise<void> {
  refresh(/servers|status|tools|prompts|resource|security|doctor/);
  await fresh("GET /api/v1/servers", {});
}

/** Reports how much was approved, how much still waits, and why ticked entries still wait. */
function report(what: string, { approved, pending, items }: Outcome, undo?: { label: string; run(): unknown }): void {
  const waiting = [...pending, ...(items?.pending ?? [])];
  const changed = waiting.filter(({ reason }) => reason === "changed_since").length;
  const counts = `${amount(approved.length, items?.approved.length ?? 0)} approved, ${waiting.length} waiting for approval`;
  toast(`${what}: ${counts}${changed > 0 ? ` (${changed} not approved, or changed in the meantime)` : ""}`, undo);
}
