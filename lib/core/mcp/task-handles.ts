import type { App } from "../app.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import { invalidParams } from "./rpc.ts";
import { sealedStates } from "./sealed-states.ts";

/** The protocol generation in which a task was made; a task is good in that one alone. */
type TaskFamily = "2025" | "2026";

/** A task of an upstream. */
export interface TaskHandle {
  /** Id of its tool, `server:tool`. */
  readonly id: string;
  /** Its server's own id. */
  readonly taskId: string;
}

/** Whose a task is, and in which protocol generation. */
interface TaskOwner {
  readonly caller: Caller;
  readonly family: TaskFamily;
}

/** The error for an id that is no task of the caller. */
export const NO_SUCH_TASK = invalidParams("no such task of this client; it may have expired");

/** Longest id of an upstream that is relayed. (characters) */
const MAX_TASK_ID = 1024;

/** The id of a task for its caller: nobody else can use it, and it tells where the task is. Undefined for an id that is none. */
export async function sealTask(
  app: App,
  owner: TaskOwner,
  { id, taskId }: { id: string; taskId: unknown },
): Promise<string | undefined> {
  if (typeof taskId !== "string" || taskId === "" || taskId.length > MAX_TASK_ID) return undefined;
  return app.part(sealedStates).sealId(placeOf(owner), JSON.stringify([id, taskId]));
}

/** @returns undefined for an id that is no task of this caller */
export async function openTask(app: App, owner: TaskOwner, sealed: unknown): Promise<TaskHandle | undefined> {
  const text = typeof sealed === "string" ? await app.part(sealedStates).open(placeOf(owner), sealed) : undefined;
  if (text === undefined) return undefined;
  const [id, taskId] = JSON.parse(text) as [string, string];
  return splitToolId(id) && { id, taskId };
}

const placeOf = ({ caller, family }: TaskOwner) => JSON.stringify(["task", family, ownerKey(caller)]);
