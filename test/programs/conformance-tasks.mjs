// @ts-check
/**
 * The tools that the conformance suite calls as tasks (2026-07-28, extension `io.modelcontextprotocol/tasks`), and the
 * methods about tasks.
 */
import { randomUUID } from "node:crypto";
import { META } from "./core.mjs";

const EXTENSION = `${META}tasks`;

/** @typedef {Record<string, any>} Json */
/** @typedef {{ description: string, inputSchema?: Json, run: (progress: any, params: Json) => Json | Promise<Json> }} Tool */

/** @param {string} text */
const said = (text) => ({ content: [{ type: "text", text }] });
/** @param {string} message */
const question = (message) => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { confirm: { type: "boolean" } }, required: ["confirm"] },
  },
});
/** @param {number} ms */
const after = (ms) => new Promise((done) => setTimeout(done, ms));

/** @param {Json} params */
const declares = ({ _meta }) => _meta?.[`${META}clientCapabilities`]?.extensions?.[EXTENSION] !== undefined;

const NEEDED = {
  code: -32021,
  message: "Missing required client capability",
  data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
};

/** @param {(task: Json) => void} [changed] called after each change of a task */
export function createTasks(changed = () => {}) {
  /** @type {Map<string, Json>} */
  const tasks = new Map();

  /** @param {Json} task */
  const shown = ({ answered: _, ...task }) => task;

  /** @param {Json} task @param {Json} change */
  const change = (task, change) => {
    if (["completed", "failed", "cancelled"].includes(task.status)) return;
    if (change.status !== "input_required") delete task.inputRequests;
    Object.assign(task, change, { lastUpdatedAt: new Date().toISOString() });
    changed(shown(task));
  };

  /** @param {(task: Json) => void} work */
  const create = (work) => {
    const now = new Date().toISOString();
    const task = { taskId: randomUUID(), status: "working", createdAt: now, lastUpdatedAt: now };
    const made = { ...task, ttlMs: 600_000, pollIntervalMs: 50 };
    tasks.set(made.taskId, made);
    const created = { resultType: "task", ...made };
    work(made);
    return created;
  };

  /** @param {Json} task @param {Record<string, Json>} inputRequests @param {string} text */
  const ask = (task, inputRequests, text) => {
    task.answered = () => change(task, { status: "completed", result: said(text) });
    setTimeout(() => change(task, { status: "input_required", inputRequests }), 20);
  };

  /** @param {string} description @param {boolean} required @param {(task: Json, args: Json) => void} work @returns {Tool} */
  const asTask = (description, required, work) => ({
    description,
    run: async (_, params) => {
      const args = params.arguments ?? {};
      if (declares(params)) return create((task) => work(task, args));
      if (required) throw NEEDED;
      return said("done at once");
    },
  });

  /** @type {Record<string, Tool>} */
  const tools = {
    greet: {
      description: "Greets, never as a task",
      inputSchema: { type: "object", properties: { name: { type: "string" } } },
      run: (_, { arguments: { name } = {} }) => said(`Hello, ${name}!`),
    },
    slow_compute: asTask("Computes for some seconds", false, async (task, { seconds = 1 }) => {
      await after(seconds * 1000);
      change(task, { status: "completed", result: said("computed") });
    }),
    test_tool_with_task: {
      description: "Asks for a name, then greets in a task",
      run: (_, params) => {
        if (!declares(params)) throw NEEDED;
        const { inputResponses } = params;
        if (!inputResponses?.user_name) {
          const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
          const user_name = question("Your name?");
          Object.assign(user_name.params, { requestedSchema });
          return { resultType: "input_required", inputRequests: { user_name }, requestState: "asked" };
        }
        return create(async (task) => {
          await after(50);
          change(task, { status: "completed", result: said(`Hello, ${inputResponses.user_name.content.name}`) });
        });
      },
    },
    failing_job: asTask("Fails, and only as a task", true, async (task) => {
      await after(50);
      change(task, { status: "completed", result: { ...said("it failed"), isError: true } });
    }),
    protocol_error_job: asTask("Ends in an error of the protocol", false, async (task) => {
      await after(50);
      change(task, { status: "failed", error: { code: -32603, message: "broken inside" }, statusMessage: "broken" });
    }),
    confirm_delete: asTask("Asks before it deletes", false, (task, { filename = "x" }) =>
      ask(task, { confirm: question(`Delete ${filename}?`) }, `deleted ${filename}`),
    ),
    multi_input: asTask("Asks twice at once", false, (task) =>
      ask(task, { one: question("One?"), two: question("Two?") }, "both answered"),
    ),
  };

  return {
    tools,
    extensions: { [EXTENSION]: {} },
    /** @param {string} method @param {Json} params */
    answer(method, params) {
      if (!["tasks/get", "tasks/update", "tasks/cancel"].includes(method)) return undefined;
      if (!declares(params)) throw NEEDED;
      const task = tasks.get(params.taskId);
      if (!task) throw { code: -32602, message: "Task not found" };
      if (method === "tasks/get") return shown(task);
      if (method === "tasks/cancel") change(task, { status: "cancelled" });
      else if (task.status === "input_required") {
        for (const key of Object.keys(params.inputResponses ?? {})) delete task.inputRequests[key];
        if (Object.keys(task.inputRequests).length === 0) {
          change(task, { status: "working" });
          task.answered();
        }
      }
      return {};
    },
  };
}
