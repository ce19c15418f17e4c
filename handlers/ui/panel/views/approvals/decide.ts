import { call, type Data, reasonOf } from "../../api.ts";
import { fresh, patch, refresh } from "../../live.ts";
import { confirm } from "../../parts/dialog.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";

/** A tool that waits for a decision. */
export type Waiting = Data<"GET /api/v1/tools">["tools"][number];

export const keyOf = ({ server_name, name }: Waiting) => `${server_name}:${name}`;

/** Approves tools as they are now; asks once more where the scan found them dangerous. @returns whether it was done */
export async function approve(tools: readonly Waiting[]): Promise<boolean> {
  const dangerous = tools.filter((t) => t.scan?.verdict === "dangerous");
  if (dangerous.length > 0) {
    const yes = await confirm({
      title: dangerous.length === 1 ? `Approve ${dangerous[0]?.name} all the same?` : "Approve all the same?",
      consequence: `The scan takes ${dangerous.map(keyOf).join(", ")} for very likely made to mislead a model. Approved, ${dangerous.length === 1 ? "it" : "they"} can be called, and the text is read by every model that finds ${dangerous.length === 1 ? "it" : "them"}.`,
      verb: "Approve all the same",
      danger: true,
    });
    if (!yes) return false;
  }
  return decide(tools, "approved", async (name, names) => {
    await call("POST /api/v1/servers/{name}/tools/approve", { params: { name }, body: { tools: names } });
  });
}

/** Blocks tools: nobody sees or calls them. @returns whether it was done */
export async function block(tools: readonly Waiting[]): Promise<boolean> {
  return decide(tools, "blocked", async (name, names) => {
    await call("POST /api/v1/servers/{name}/tools/block", { params: { name }, body: { tools: names } });
  });
}

async function decide(
  tools: readonly Waiting[],
  word: string,
  send: (server: string, names: string[]) => Promise<void>,
): Promise<boolean> {
  const keys = new Set(tools.map(keyOf));
  const rollback = patch("GET /api/v1/tools", {}, (data) => ({
    ...data,
    tools: data.tools.map((t) => (keys.has(keyOf(t)) ? { ...t, approval_status: "approved" as const } : t)),
  })).apply();
  try {
    for (const [server, group] of Map.groupBy(tools, (t) => t.server_name))
      await send(
        server,
        group.map((t) => t.name),
      );
    toast(tools.length === 1 ? `${tools[0]?.name} is ${word}` : `${plural(tools.length, "tool")} ${word}`);
    return true;
  } catch (error) {
    rollback();
    // Some servers' tools may be decided by now.
    await fresh("GET /api/v1/tools", {});
    toast(reasonOf(error), { tone: "bad" });
    return false;
  } finally {
    refresh(/servers|tools/);
  }
}
