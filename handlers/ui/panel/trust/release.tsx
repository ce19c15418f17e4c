import { useEffect, useState } from "preact/hooks";
import { call, type Data, Refused, reasonOf } from "../api.ts";
import { fresh, refresh } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { ask, confirm, Dialog } from "../parts/dialog.tsx";
import { Visible } from "../parts/diff.tsx";
import { Findings, graveOf, Verdict } from "../parts/findings.tsx";
import type { Server } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { plural } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import { type Item, ItemChoices, itemKey } from "./item-choices.tsx";
import { Launch } from "./launch.tsx";
import { type Candidate, ToolChoices, useChoice } from "./tool-choices.tsx";

type Outcome = Data<"POST /api/v1/servers/{name}/unquarantine">["release"];
type Listed = Data<"GET /api/v1/servers/{name}/tools"> & {
  /** Prompts, resources and templates. */
  readonly items: readonly Item[];
};

/** What the person decided: exactly the definitions on the screen, and the findings ticked by name. */
interface Seen {
  readonly pins: Record<string, string>;
  readonly accept_findings: string[];
  readonly accept_instructions: boolean;
  readonly items: { kind: Item["kind"]; name: string; pin: string; accept_findings: boolean }[];
}

/** Whether the panel offers a release: only of what has listed something, so that there is something to review. */
export const isReleasable = (server: Server): boolean =>
  server.quarantined && server.held !== true && (server.tool_count > 0 || server.health.action === "approve");

/** Releases a server from quarantine; approves what the person has seen and ticked. */
export async function release(server: Server): Promise<void> {
  const { name } = server;
  const seen = await ask<Seen>((answer) => <Review server={server} act="release" answer={answer} />);
  if (!seen) return;
  await send(async () => {
    const data = await call("POST /api/v1/servers/{name}/unquarantine", { params: { name }, body: seen });
    report(`${name} is released`, data.release, {
      label: "Undo",
      run: () => call("POST /api/v1/servers/{name}/quarantine", { params: { name } }).then(look),
    });
  });
}

/** Approves the tools of a server that wait, as far as the person has seen and ticked them. */
export async function approveWaiting(server: Server): Promise<void> {
  const { name } = server;
  const seen = await ask<Seen>((answer) => <Review server={server} act="approve tools" answer={answer} />);
  if (!seen) return;
  await send(async () => {
    const tools = Object.keys(seen.pins);
    if (tools.length === 0) return;
    const { items: _, ...accepted } = seen;
    const data = await call("POST /api/v1/servers/{name}/tools/approve", {
      params: { name },
      body: { tools, approve_all: false, ...accepted },
    });
    report(name, { approved: data.tools, pending: data.pending ?? [] });
  });
}

/** Approves a server after its scan, by the same dialog; against its scan only after a second question. */
export async function approveScanned(server: Server): Promise<void> {
  const { name } = server;
  const seen = await ask<Seen>((answer) => (
    <Review server={server} act={server.quarantined ? "release" : "approve server"} answer={answer} />
  ));
  if (!seen) return;
  const approve = async (force: boolean) => {
    const data = await call("POST /api/v1/servers/{name}/security/approve", {
      params: { name },
      body: { force, ...seen },
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

/** Says how much was approved, how much waits, and why some of it waits that was ticked. */
function report(what: string, { approved, pending, items }: Outcome, undo?: { label: string; run(): unknown }): void {
  const waiting = [...pending, ...(items?.pending ?? [])];
  const changed = waiting.filter(({ reason }) => reason === "changed_since").length;
  const counts = `${amount(approved.length, items?.approved.length ?? 0)} approved, ${waiting.length} waiting for approval`;
  toast(`${what}: ${counts}${changed > 0 ? ` (${changed} not approved, or changed in the meantime)` : ""}`, undo);
}

/** What the server lists; the tools alone where only these are decided about. */
async function listedOf(name: string, act: ReviewProps["act"]): Promise<Listed> {
  const params = { name };
  const tools = call("GET /api/v1/servers/{name}/tools", { params });
  if (act === "approve tools") return { ...(await tools), items: [] };
  const lists = [
    call("GET /api/v1/servers/{name}/prompts", { params }),
    call("GET /api/v1/servers/{name}/resources", { params }),
    call("GET /api/v1/servers/{name}/resource-templates", { params }),
  ];
  const items = (await Promise.all(lists)).flatMap((list) => list.items);
  return { ...(await tools), items };
}

/** `3 tools and 1 prompt or resource`; the second part only where there is something. */
function amount(tools: number, items: number): string {
  const others = items === 0 ? [] : [plural(items, "prompt or resource", "prompts and resources")];
  return [...(tools > 0 || items === 0 ? [plural(tools, "tool")] : []), ...others].join(" and ");
}

interface ReviewProps {
  server: Server;
  act: "release" | "approve server" | "approve tools";
  answer(seen?: Seen): void;
}

/** Loads what the server lists once: what is approved is what stands on the screen. */
function Review(props: ReviewProps) {
  const { server, answer } = props;
  const [listed, setListed] = useState<Listed>();
  const [wrong, setWrong] = useState<Error>();
  const load = () => {
    setWrong(undefined);
    listedOf(server.name, props.act).then(setListed, setWrong);
  };
  useEffect(load, []);
  if (listed) return <Decide {...props} listed={listed} />;
  return (
    <Dialog
      title={`Review ${server.name}`}
      size="wide"
      onClose={() => answer()}
      actions={<Button onClick={() => answer()}>Cancel</Button>}
    >
      {wrong ? <Failed error={wrong} retry={load} /> : <Loading lines={4} />}
    </Dialog>
  );
}

function Decide({ server, act, answer, listed }: ReviewProps & { listed: Listed }) {
  const { name, trust_mode, resource_approval } = server;
  const { instructions } = listed;
  const isOpen = (t: Candidate) => !t.disabled && !t.config_denied;
  const changed = listed.tools.filter((t) => isOpen(t) && t.approval_status === "changed");
  const candidates = listed.tools.filter(
    (t) => isOpen(t) && (t.approval_status === "pending_approval" || (act === "approve tools" && changed.includes(t))),
  );
  const approved = listed.tools.filter((t) => isOpen(t) && t.approval_status === "approved").length;
  const choice = useChoice(candidates);
  const openItems = listed.items.filter((item) => !item.disabled);
  const itemCandidates = openItems.filter((item) => item.approval_status === "pending_approval");
  const changedItems = openItems.filter((item) => item.approval_status === "changed");
  const itemChoice = useChoice(itemCandidates, itemKey);
  const tickedItems = itemChoice.shown.filter((item) => itemChoice.ticked.has(itemKey(item)));
  const graveItems = tickedItems.filter((item) => graveOf(item.scan).length > 0);
  const [accepted, setAccepted] = useState(false);
  const suspect = graveOf(instructions?.scan).length > 0;
  const stopped = suspect && !accepted;
  const ticked = stopped ? [] : choice.shown.filter((t) => choice.ticked.has(t.name));
  const grave = ticked.filter((t) => graveOf(t.scan).length > 0);
  const waiting = candidates.length - ticked.length + (act === "approve tools" ? 0 : changed.length);
  const waitingItems = itemCandidates.length - tickedItems.length + changedItems.length;
  const risky = grave.length + graveItems.length > 0 || (suspect && accepted && ticked.length > 0);
  const words = wordsOf(
    act,
    name,
    ticked.length + tickedItems.length,
    amount(ticked.length, tickedItems.length),
    risky,
  );
  const seen = (): Seen => ({
    pins: Object.fromEntries(ticked.map((t) => [t.name, t.current_hash ?? ""])),
    accept_findings: grave.map((t) => t.name),
    accept_instructions: suspect && accepted,
    items: tickedItems.map((item) => ({
      kind: item.kind,
      name: item.name,
      pin: item.current_hash ?? "",
      accept_findings: graveItems.includes(item),
    })),
  });
  return (
    <Dialog
      title={words.title}
      size="wide"
      onClose={() => answer()}
      actions={
        <>
          <p class="grow release-summary" role="status">
            {summaryOf(act, ticked.length, waiting)} {itemSummaryOf(tickedItems.length, waitingItems)}
          </p>
          <Button kind={risky ? "main" : "plain"} onClick={() => answer()}>
            {words.keep}
          </Button>
          <Button
            kind={risky ? "bad" : "main"}
            blocked={act === "approve tools" && ticked.length === 0 && "Select a tool first."}
            onClick={() => answer(seen())}
          >
            {words.go}
          </Button>
        </>
      }
    >
      <Launch server={server} />
      <Automatic mode={trust_mode} />
      {instructions && (suspect || instructions.scan.findings.length > 0) && (
        <section class="stack tight" aria-label="Instructions of the server">
          <h3>
            Instructions of the server <Verdict scan={instructions.scan} />
          </h3>
          <p class="pre">
            <Visible text={instructions.text} />
          </p>
          <Findings scan={instructions.scan} />
          {suspect && (
            <label class="row">
              <input type="checkbox" checked={accepted} onChange={(e) => setAccepted(e.currentTarget.checked)} />
              <span>
                I accept these findings. Models read the instructions; until you accept them, every tool stays pending.
              </span>
            </label>
          )}
        </section>
      )}
      {candidates.length > 0 && (
        <section class="stack tight">
          <h3>Tools to approve</h3>
          {stopped && (
            <p class="notice bad">
              <Icon name="bad" />
              <span class="grow">No tool is approved until you accept the findings in the instructions above.</span>
            </p>
          )}
          <ToolChoices choice={choice} total={candidates.length} />
        </section>
      )}
      {itemCandidates.length > 0 && (
        <section class="stack tight">
          <h3>Prompts and resources to approve</h3>
          <p class="hint">
            {resource_approval === "manual"
              ? "Each waits until a person approves it, now and after every change."
              : "Resources without findings are approved with the release, selected or not; set resource_approval to manual to decide about each."}
          </p>
          <ItemChoices choice={itemChoice} total={itemCandidates.length} />
        </section>
      )}
      {act !== "approve tools" && (
        <ul class="prose notes">
          {candidates.length === 0 && <li>No tool waits for its first approval.</li>}
          {approved > 0 && (
            <li>{plural(approved, "tool")} approved earlier can be called again as soon as it is released.</li>
          )}
          {changedItems.length > 0 && (
            <li>
              {plural(changedItems.length, "prompt or resource", "prompts and resources")} changed after the last
              approval and {changedItems.length === 1 ? "stays" : "stay"} pending; compare the definitions in Approvals.
            </li>
          )}
          {changed.length > 0 && (
            <li>
              {plural(changed.length, "tool")} changed after the last approval and{" "}
              {changed.length === 1 ? "stays" : "stay"} pending; compare the old and new definitions in Approvals.
            </li>
          )}
        </ul>
      )}
    </Dialog>
  );
}

/** The words of the dialog: what it is about, and the two ways out. */
function wordsOf(act: ReviewProps["act"], name: string, ticked: number, what: string, risky: boolean) {
  const tools = `${what}${risky ? " despite findings" : ""}`;
  switch (act) {
    case "release":
      return {
        title: `Release ${name} from quarantine?`,
        keep: "Keep in quarantine",
        go: ticked === 0 ? "Release without approving tools" : `Release and approve ${tools}`,
      };
    case "approve server":
      return {
        title: `Approve ${name}?`,
        keep: "Cancel",
        go: ticked === 0 ? "Approve the server" : `Approve the server and ${tools}`,
      };
    case "approve tools":
      return { title: `Approve tools of ${name}?`, keep: "Cancel", go: `Approve ${tools}` };
  }
}

/** Says what will happen, in numbers. */
function summaryOf(act: ReviewProps["act"], ticked: number, waiting: number): string {
  const first = `${plural(ticked, "tool")} will be approved${act === "release" && ticked > 0 ? ` and clients can then call ${ticked === 1 ? "it" : "them"}` : ""}.`;
  return waiting === 0
    ? first
    : `${first} ${waiting} ${waiting === 1 ? "tool stays" : "tools stay"} pending: no client can call ${waiting === 1 ? "it" : "them"} until you approve ${waiting === 1 ? "it" : "them"}.`;
}

/** The same of prompts and resources; nothing where the server has none to decide about. */
function itemSummaryOf(ticked: number, waiting: number): string {
  if (ticked + waiting === 0) return "";
  const approved = `${plural(ticked, "prompt or resource", "prompts and resources")} will be approved`;
  return waiting === 0 ? `${approved}.` : `${approved}, ${waiting} not selected.`;
}

/** Where something other than a person approves what the server lists later. */
function Automatic({ mode }: { mode: string | undefined }) {
  if (mode !== "auto" && mode !== "scan") return null;
  return (
    <div class="notice warn">
      <Icon name="warn" />
      <p class="grow">
        {mode === "auto"
          ? "Approval of this server is automatic (trust_mode: auto): after the release, every tool that it lists or changes is approved without review, including tools that you did not select."
          : "Approval of this server is by scan (trust_mode: scan): tools without findings are approved without review, including tools that you did not select."}
      </p>
    </div>
  );
}
