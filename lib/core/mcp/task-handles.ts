import type { App } from "../app.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import { invalidParams } from "./rpc.ts";
import { sealedStates } from "./sealed-states.ts";

/** The protocol family in which a task was made. The task can be used in this family only. */
type TaskFamily = "2025" | "2026";

/** A task of an upstream. */
export interface TaskHandle {
  /** Id of the tool, `server:tool`. */
  readonly id: string;
  /** The id that the server gave the task. */
  readonly taskId: string;
}

/** The caller that owns a task, and the protocol family of the task. */
interface TaskOwner {
  readonly caller: Caller;
  readonly family: TaskFamily;
}

/** The error for an id that is not that of a task of the caller. */
export const NO_SUCH_TASK = invalidParams("no such task of this client; it may have expired");

/** Maximum length of a task id from an upstream. (characters) */
const MAX_TASK_ID = 1024;

/**
 * Returns the id of a task for its caller. It contains the tool and the server's id, sealed so that only this caller
 * can use it. Undefined if the server's id is invalid.
 */
export async function sealTask(
  app: App,
  owner: TaskOwner,
  { id, taskId }: { id: string; taskId: unknown },
): Promise<string | undefined> {
  if (typeof taskId !== "string" || taskId === "" || taskId.length > MAX_TASK_ID) return undefined;
  return app.part(sealedStates).sealId(placeOf(owner), JSON.stringify([id, taskId]));
}

/** Opens the id that a client sent. @returns undefined for an id that is not that of a task of this caller */
export async function openTask(app: App, owner: TaskOwner, sealed: unknown): Promise<TaskHandle | undefined> {
  const text = typeof sealed === "string" ? await app.part(sealedStates).open(placeOf(owner), sealed) : undefined;
  if (text === undefined) return undefined;
  const [id, taskId] = JSON.parse(text) as [string, string];
  return splitToolId(id) && { id, taskId };
}

const placeOf = ({ caller, family }: TaskOwner) => JSON.stringify(["task", family, ownerKey(caller)]);
