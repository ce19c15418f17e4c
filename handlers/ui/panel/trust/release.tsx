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
import { Launch } from "./launch.tsx";
import { type Candidate, ToolChoices, useChoice } from "./tool-choices.tsx";

type Outcome = Data<"POST /api/v1/servers/{name}/unquarantine">["release"];
type Listed = Data<"GET /api/v1/servers/{name}/tools">;

/** What the person decided: exactly the definitions on the screen, and the findings ticked by name. */
interface Seen {
  readonly pins: Record<string, string>;
  readonly accept_findings: string[];
  readonly accept_instructions: boolean;
}

/** Whether the panel offers a release: only of what has listed tools, so that there is something to review. */
export const isReleasable = (server: Server): boolean =>
  server.quarantined && server.held !== true && server.tool_count > 0;

/** Releases a server from quarantine; approves the tools that the person has seen and ticked, and nothing else. */
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
    const data = await call("POST /api/v1/servers/{name}/tools/approve", {
      params: { name },
      body: { tools, approve_all: false, ...seen },
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
  refresh(/servers|status|tools|security|doctor/);
  await fresh("GET /api/v1/servers", {});
}

/** Says how many tools were approved, how many wait, and why some wait that were ticked. */
function report(what: string, { approved, pending }: Outcome, undo?: { label: string; run(): unknown }): void {
  const changed = pending.filter(({ reason }) => reason === "changed_since").length;
  const counts = `${plural(approved.length, "tool")} approved, ${pending.length} waiting for approval`;
  toast(`${what}: ${counts}${changed > 0 ? ` (${changed} not approved, or changed in the meantime)` : ""}`, undo);
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
    call("GET /api/v1/servers/{name}/tools", { params: { name: server.name } }).then(setListed, setWrong);
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
  const { name, trust_mode } = server;
  const { instructions } = listed;
  const isOpen = (t: Candidate) => !t.disabled && !t.config_denied;
  const changed = listed.tools.filter((t) => isOpen(t) && t.approval_status === "changed");
  const candidates = listed.tools.filter(
    (t) => isOpen(t) && (t.approval_status === "pending_approval" || (act === "approve tools" && changed.includes(t))),
  );
  const approved = listed.tools.filter((t) => isOpen(t) && t.approval_status === "approved").length;
  const choice = useChoice(candidates);
  const [accepted, setAccepted] = useState(false);
  const suspect = graveOf(instructions?.scan).length > 0;
  const stopped = suspect && !accepted;
  const ticked = stopped ? [] : choice.shown.filter((t) => choice.ticked.has(t.name));
  const grave = ticked.filter((t) => graveOf(t.scan).length > 0);
  const waiting = candidates.length - ticked.length + (act === "approve tools" ? 0 : changed.length);
  const risky = grave.length > 0 || (suspect && accepted && ticked.length > 0);
  const words = wordsOf(act, name, ticked.length, risky);
  const seen = (): Seen => ({
    pins: Object.fromEntries(ticked.map((t) => [t.name, t.current_hash ?? ""])),
    accept_findings: grave.map((t) => t.name),
    accept_instructions: suspect && accepted,
  });
  return (
    <Dialog
      title={words.title}
      size="wide"
      onClose={() => answer()}
      actions={
        <>
          <p class="grow release-summary" role="status">
            {summaryOf(act, ticked.length, waiting)}
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
      {act !== "approve tools" && (
        <ul class="prose notes">
          {candidates.length === 0 && <li>No tool waits for its first approval.</li>}
          {approved > 0 && (
            <li>{plural(approved, "tool")} approved earlier can be called again as soon as it is released.</li>
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
function wordsOf(act: ReviewProps["act"], name: string, ticked: number, risky: boolean) {
  const tools = `${plural(ticked, "tool")}${risky ? " despite findings" : ""}`;
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
