import { LRUCache } from "lru-cache";
import { part } from "../app.ts";
import type { McpObject } from "../schema/mcp.ts";

/** The last known state of each owner's tasks, for `tasks/list` (2025-11-25). */
interface RememberedTasks {
  /** Stores the state of a task. @param task with the id that its owner knows */
  put(owner: string, task: McpObject): void;
  /** Returns the tasks of an owner, oldest first. */
  of(owner: string): McpObject[];
}

const MAX_OWNERS = 1000;
const MAX_TASKS = 200;
/** Maximum length of a text of a task. (characters) */
const MAX_TEXT = 1000;
const MEMBERS = ["taskId", "status", "statusMessage", "createdAt", "lastUpdatedAt", "ttl", "pollInterval"];

/** The list is only in memory: after a restart it is empty, although all ids stay valid. */
export const rememberedTasks = part<RememberedTasks>("rememberedTasks", ({ clock }) => {
  const owners = new LRUCache<string, LRUCache<string, McpObject>>({ max: MAX_OWNERS });
  return {
    put(owner, task) {
      const tasks = owners.get(owner) ?? new LRUCache<string, McpObject>({ max: MAX_TASKS });
      owners.set(owner, tasks);
      tasks.set(task.taskId as string, bounded(task));
    },
    of(owner) {
      const tasks = [...(owners.get(owner)?.values() ?? [])].reverse();
      return tasks.filter(({ createdAt, ttl }) => {
        const ends = typeof ttl === "number" ? Date.parse(String(createdAt)) + ttl : Number.NaN;
        return !(ends < clock.now());
      });
    },
  };
});

/** Keeps only the members that the protocol defines, so that a server cannot fill the memory with others. */
function bounded(task: McpObject): McpObject {
  const kept = MEMBERS.filter((member) => typeof task[member] !== "object" || task[member] === null);
  return Object.fromEntries(
    kept
      .filter((member) => task[member] !== undefined)
      .map((member) => {
        const value = task[member];
        return [member, typeof value === "string" && member !== "taskId" ? value.slice(0, MAX_TEXT) : value];
      }),
  );
}
