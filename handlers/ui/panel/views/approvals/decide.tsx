import { useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../../api.ts";
import { fresh, refresh } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { ask, Dialog } from "../../parts/dialog.tsx";
import { Findings, graveOf, Verdict } from "../../parts/findings.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";

/** A tool that waits for a decision. */
/** The query for tools that wait for review. */
export const WAITING = { query: { approval: "pending_approval,changed", enabled: "true" } } as const;

export type Waiting = Data<"GET /api/v1/tools">["tools"][number];

export const keyOf = ({ server_name, name }: Waiting) => `${server_name}:${name}`;

/**
 * Approves tools in the form shown on the screen. Tools with findings of severity high or critical are approved only if
 * the user ticks them by name; the others are approved in any case.
 *
 * @returns whether any tool was approved
 */
export async function approve(tools: readonly Waiting[]): Promise<boolean> {
  const grave = tools.filter((t) => graveOf(t.scan).length > 0);
  const accepted =
    grave.length === 0
      ? []
      : await ask<readonly Waiting[]>((answer) => (
          <Accept grave={grave} others={tools.length - grave.length} answer={answer} />
        ));
  if (accepted === undefined) return false;
  const wanted = tools.filter((t) => !grave.includes(t) || accepted.includes(t));
  return send(
    wanted,
    async (name, group) => {
      const { tools: approved, pending = [] } = await call("POST /api/v1/servers/{name}/tools/approve", {
        params: { name },
        body: {
          tools: group.map((t) => t.name),
          approve_all: false,
          pins: Object.fromEntries(group.map((t) => [t.name, t.current_hash ?? ""])),
          accept_findings: group.filter((t) => accepted.includes(t)).map((t) => t.name),
        },
      });
      return { done: approved, left: pending.map(({ tool, reason }) => `${tool} ${LEFT[reason]}`) };
    },
    "approved",
  );
}

/** Why a tool was not approved. */
const LEFT = {
  findings: "has findings that were not accepted",
  instructions: "has findings in its server's instructions that were not accepted",
  changed_since: "changed after it was shown",
  not_listed: "is not listed any more",
} as const;

/** Blocks tools, which hides them. @returns whether it succeeded */
export async function block(tools: readonly Waiting[]): Promise<boolean> {
  return send(
    tools,
    async (name, group) => {
      const names = group.map((t) => t.name);
      await call("POST /api/v1/servers/{name}/tools/block", { params: { name }, body: { tools: names } });
      return { done: names, left: [] };
    },
    "blocked",
  );
}

/** Selects the tools with severe findings that are approved nevertheless; initially none. */
function Accept({ grave, others, answer }: AcceptProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const next = new Set(ticked);
    if (!next.delete(key)) next.add(key);
    setTicked(next);
  };
  const total = ticked.size + others;
  const left = grave.length - ticked.size;
  return (
    <Dialog
      title={grave.length === 1 ? `Approve ${grave[0]?.name} despite its findings?` : "Approve despite findings?"}
      size="wide"
      onClose={() => answer()}
      actions={
        <>
          <p class="grow release-summary" role="status">
            {plural(total, "tool")} will be approved.
            {left > 0 && ` ${plural(left, "tool")} with findings ${left === 1 ? "stays" : "stay"} pending.`}
          </p>
          <Button kind={ticked.size > 0 ? "main" : "plain"} onClick={() => answer()}>
            Cancel
          </Button>
          <Button
            kind={ticked.size > 0 ? "bad" : "main"}
            blocked={total === 0 && "Select a tool first."}
            onClick={() => answer(grave.filter((t) => ticked.has(keyOf(t))))}
          >
            {ticked.size > 0
              ? `Approve ${plural(ticked.size, "tool")} despite findings`
              : `Approve ${plural(others, "tool")}`}
          </Button>
        </>
      }
    >
      <p class="muted">
        The scan found text that may mislead a model. Clients can call an approved tool, and models read its
        description. Select each tool whose findings you accept.
      </p>
      <ul class="choices tools" aria-label="Tools with findings">
        {grave.map((t) => (
          <li key={keyOf(t)} class="grave">
            <label>
              <input type="checkbox" checked={ticked.has(keyOf(t))} onChange={() => toggle(keyOf(t))} />
              <span class="name">{t.name}</span> <span class="muted">{t.server_name}</span>
              <Verdict scan={t.scan} />
            </label>
            <Findings scan={t.scan} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface AcceptProps {
  grave: readonly Waiting[];
  /** Number of other tools that are approved with them. */
  others: number;
  answer(accepted?: readonly Waiting[]): void;
}

/** Sends the decision for each server, and reports what was done and what was left. */
async function send(
  tools: readonly Waiting[],
  act: (server: string, group: readonly Waiting[]) => Promise<{ done: readonly string[]; left: readonly string[] }>,
  word: string,
): Promise<boolean> {
  const done: string[] = [];
  const left: string[] = [];
  try {
    for (const [server, group] of Map.groupBy(tools, (t) => t.server_name)) {
      const outcome = await act(server, group);
      done.push(...outcome.done);
      left.push(...outcome.left);
    }
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
  }
  if (done.length > 0) toast(done.length === 1 ? `${done[0]} is ${word}` : `${plural(done.length, "tool")} ${word}`);
  if (left.length > 0) toast(`Not ${word}: ${left.join("; ")}`, { tone: "bad" });
  await fresh("GET /api/v1/tools", WAITING);
  refresh(/servers|status|security/);
  return done.length > 0;
}
