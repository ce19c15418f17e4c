import { call, reasonOf } from "../../api.ts";
import { fresh, refresh } from "../../live.ts";
import { confirm } from "../../parts/dialog.tsx";
import { graveOf } from "../../parts/findings.tsx";
import { toast } from "../../parts/toast.tsx";
import type { Item } from "../../trust/item-choices.tsx";

/** The query for prompts, resources and templates that wait for review. */
export const WAITING_ITEMS = { query: { approval: "pending_approval,changed", enabled: "true" } } as const;

/**
 * Approves an item in the form shown on the screen; with findings of severity high or critical, after confirmation.
 *
 * @param pin the pin of the shown definition
 * @returns whether it was approved
 */
export async function approveItem(item: Item, pin: string): Promise<boolean> {
  const { kind, name, server_name } = item;
  const isGrave = graveOf(item.scan).length > 0;
  const isSure =
    !isGrave ||
    (await confirm({
      title: `Approve ${name} despite its findings?`,
      consequence:
        "The scan found text that may mislead a model. Clients can use what is approved, and models read it.",
      verb: "Approve despite findings",
      danger: true,
    }));
  if (!isSure) return false;
  return send(async () => {
    const { approved, pending } = await call("POST /api/v1/servers/{name}/items/approve", {
      params: { name: server_name },
      body: { kinds: [kind], names: [name], pins: { [name]: pin }, accept_findings: isGrave ? [name] : [] },
    });
    const [left] = pending;
    if (left) toast(`${name} ${LEFT[left.reason]}`, { tone: "bad" });
    else toast(`${name} is approved`);
    return approved.length > 0;
  });
}

/** Why an item was not approved. */
const LEFT = {
  findings: "has findings that were not accepted",
  changed_since: "changed after it was shown",
  not_listed: "is not listed any more",
  not_reviewed: "was not shown",
} as const;

/** Blocks an item, which hides it from clients until it is approved. @returns whether it succeeded */
export function blockItem({ kind, name, server_name }: Item): Promise<boolean> {
  return send(async () => {
    await call("POST /api/v1/servers/{name}/items/block", {
      params: { name: server_name },
      body: { kinds: [kind], names: [name] },
    });
    toast(`${name} is blocked`);
    return true;
  });
}

async function send(run: () => Promise<boolean>): Promise<boolean> {
  let isDone = false;
  try {
    isDone = await run();
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
  }
  refresh(/prompts|resource|items|servers|status/);
  await fresh("GET /api/v1/servers", {});
  return isDone;
}
