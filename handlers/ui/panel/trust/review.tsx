import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Visible } from "../parts/diff.tsx";
import { Findings, Verdict } from "../parts/findings.tsx";
import type { Server } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { plural } from "../parts/time.tsx";
import { ItemChoices } from "./item-choices.tsx";
import { Launch } from "./launch.tsx";
import { type Listed, type ReviewDecision, useReviewDecision } from "./review-decision.ts";
import { itemSummary, type ReviewAct, reviewWords, toolSummary } from "./review-words.ts";
import { ToolChoices } from "./tool-choices.tsx";

interface ReviewProps {
  server: Server;
  act: ReviewAct;
  /** Called without a decision when the person closes the dialog. */
  answer(decision?: ReviewDecision): void;
}

/**
 * The dialog in which a person decides what of a server is approved. It loads what the server lists once, so that the
 * person approves exactly what is on the screen.
 */
export function Review(props: ReviewProps) {
  const { server, act, answer } = props;
  const [listed, setListed] = useState<Listed>();
  const [wrong, setWrong] = useState<Error>();
  const load = () => {
    setWrong(undefined);
    listedOf(server.name, act).then(setListed, setWrong);
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

/** What the server lists; the tools alone if only these are decided about. */
export async function listedOf(name: string, act: ReviewAct): Promise<Listed> {
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

function Decide({ server, act, answer, listed }: ReviewProps & { listed: Listed }) {
  const { name, trust_mode, resource_approval } = server;
  const state = useReviewDecision(listed, act);
  const { choice, itemChoice, toolCount, itemCount, isRisky } = state;
  const words = reviewWords(act, { name, toolCount, itemCount, isRisky });
  return (
    <Dialog
      title={words.title}
      size="wide"
      onClose={() => answer()}
      actions={
        <>
          <p class="grow release-summary" role="status">
            {toolSummary(act, toolCount, state.waitingTools)} {itemSummary(itemCount, state.waitingItems)}
          </p>
          <Button kind={isRisky ? "main" : "plain"} onClick={() => answer()}>
            {words.keep}
          </Button>
          <Button
            kind={isRisky ? "bad" : "main"}
            blocked={act === "approve tools" && toolCount === 0 && "Select a tool first."}
            onClick={() => answer(state.decision())}
          >
            {words.go}
          </Button>
        </>
      }
    >
      <Launch server={server} />
      <Automatic mode={trust_mode} />
      <Instructions of={listed.instructions} state={state} />
      {choice.total > 0 && (
        <section class="stack tight">
          <h3>Tools to approve</h3>
          {state.isStopped && (
            <p class="notice bad">
              <Icon name="bad" />
              <span class="grow">No tool is approved until you accept the findings in the instructions above.</span>
            </p>
          )}
          <ToolChoices choice={choice} />
        </section>
      )}
      {itemChoice.total > 0 && (
        <section class="stack tight">
          <h3>Prompts and resources to approve</h3>
          <p class="hint">
            {resource_approval === "manual"
              ? "Each waits until a person approves it, now and after every change."
              : "Resources without findings are approved with the release, selected or not; set resource_approval to manual to decide about each."}
          </p>
          <ItemChoices choice={itemChoice} />
        </section>
      )}
      {act !== "approve tools" && <Notes state={state} />}
    </Dialog>
  );
}

interface StateProps {
  state: ReturnType<typeof useReviewDecision>;
}

/** The server's instructions, if the scan found something in them, and the box that accepts the findings. */
function Instructions({ of, state }: StateProps & { of: Listed["instructions"] }) {
  const { isSuspect, isAccepted, setAccepted } = state;
  if (!of || (!isSuspect && of.scan.findings.length === 0)) return null;
  return (
    <section class="stack tight" aria-label="Instructions of the server">
      <h3>
        Instructions of the server <Verdict scan={of.scan} />
      </h3>
      <p class="pre">
        <Visible text={of.text} />
      </p>
      <Findings scan={of.scan} />
      {isSuspect && (
        <label class="row">
          <input type="checkbox" checked={isAccepted} onChange={(e) => setAccepted(e.currentTarget.checked)} />
          <span>
            I accept these findings. Models read the instructions; until you accept them, every tool stays pending.
          </span>
        </label>
      )}
    </section>
  );
}

/** What happens to the tools and items that are not in the lists above. */
function Notes({ state: { choice, approvedTools, changedItems, changedTools } }: StateProps) {
  return (
    <ul class="prose notes">
      {choice.total === 0 && <li>No tool waits for its first approval.</li>}
      {approvedTools > 0 && (
        <li>{plural(approvedTools, "tool")} approved earlier can be called again as soon as it is released.</li>
      )}
      {changedItems > 0 && (
        <li>
          {plural(changedItems, "prompt or resource", "prompts and resources")} changed after the last approval and{" "}
          {changedItems === 1 ? "stays" : "stay"} pending; compare the definitions in Approvals.
        </li>
      )}
      {changedTools > 0 && (
        <li>
          {plural(changedTools, "tool")} changed after the last approval and {changedTools === 1 ? "stays" : "stay"}{" "}
          pending; compare the old and new definitions in Approvals.
        </li>
      )}
    </ul>
  );
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
