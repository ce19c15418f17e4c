import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { bootstrap } from "./bootstrap.ts";
import { engineFailure, isMemoryTrap } from "./engine-failure.ts";
import {
  type CallBack,
  type CallOut,
  type FromVm,
  HOST,
  MAX_ANSWER_BYTES,
  MAX_ARGS_CHARS,
  MAX_LOG_CHARS,
  MAX_MEMORY_MB,
  MAX_RESULT_CHARS,
  STOP,
  type VmError,
  type VmTask,
  WAKE,
  WRAP_CLOSE,
  WRAP_OPEN,
} from "./protocol.ts";

const BOOTSTRAP = `(${bootstrap.toString()})`;
/**
 * With this stack limit, deep recursion ends as a JavaScript error before it reaches the thread's own stack of 16 MB.
 */
const MAX_STACK_BYTES = 512 * 1024;

const MB = 1024 * 1024;
/** Up to this memory size any answer fits, and `roomOf` need not be called. */
const ROOMY_BYTES = 28 * MB;
/** Bytes of memory that one byte of an answer can take: once as a string of wide characters, once as values. */
const BYTES_PER_BYTE = 4;
/** A memory of this size cannot grow further. */
const FULL_BYTES = 0.97 * MAX_MEMORY_MB * MB;

/** A fresh instance of the engine, and its memory. */
export interface Engine {
  quickjs: QuickJSWASMModule;
  memory: WebAssembly.Memory;
}

/** The connections of the engine to its thread. */
export interface Outside {
  control: Int32Array;
  port: MessagePort;
  post(message: FromVm): void;
}

type Done = Extract<FromVm, { t: "done" }>;

/** Both threads need the same clock, and `performance.now()` starts at zero in each. */
const nowMs = () => performance.timeOrigin + performance.now();

/** Call numbers are unique in the thread, so that a late answer is never taken for that of another call. */
const nextCall = counter();

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

/** Runs one program in a fresh QuickJS instance, to its end or the deadline. Never throws. */
export function execute({ quickjs, memory }: Engine, task: VmTask, outside: Outside): Done {
  const done: Done = { t: "done", id: task.id };
  const deadline = nowMs() + task.timeoutMs;
  let stopped = false;
  // Stays true: a program that catches the interruption must not continue.
  const expired = () => {
    stopped ||= Atomics.load(outside.control, STOP) === task.id || nowMs() >= deadline;
    return stopped;
  };
  try {
    const runtime = quickjs.newRuntime();
    const context = runtime.newContext();
    runtime.setMaxStackSize(MAX_STACK_BYTES);
    runtime.setInterruptHandler(expired);
    const finish = context.unwrapResult(
      context.callFunction(
        context.unwrapResult(context.evalCode(BOOTSTRAP, "sandbox.js", { type: "global" })),
        context.undefined,
        hostFunction(context, { task, deadline, expired, outside, room: () => roomOf(quickjs, memory) }),
      ),
    );
    const inside = (mode: number, value: QuickJSHandle) =>
      context.callFunction(finish, context.undefined, context.newNumber(mode), value);
    const describe = (thrown: QuickJSHandle): VmError => {
      const text = inside(1, thrown);
      // If memory does not suffice for a string, it does not suffice for an exception either; the engine throws null.
      if (text.error || (context.typeof(thrown) === "object" && isFull(memory) && isNull(context, thrown)))
        return OUT_OF_MEMORY;
      const error = JSON.parse(context.getString(text.value)) as VmError;
      return engineFailure(error) === "out_of_memory" ? OUT_OF_MEMORY : error;
    };

    const ran = evaluate(context, task);
    let thrown = ran.error;
    let value = ran.value;
    while (!thrown && !expired() && runtime.hasPendingJob()) {
      const jobs = runtime.executePendingJobs(64);
      if (jobs.error) thrown = jobs.error;
    }
    if (!thrown && value) {
      const state = context.getPromiseState(value);
      if (state.type === "rejected") thrown = state.error;
      else if (state.type === "pending")
        done.error = {
          name: "Error",
          message: "the promise that the script returned never settles",
          stack: "",
          code: "SERIALIZATION_ERROR",
        };
      else if (!state.notAPromise) value = state.value;
    }
    if (thrown) done.error = { ...describe(thrown), ...(ran.shift && { shift: ran.shift }) };
    else if (!done.error && value) {
      const json = inside(0, value);
      if (json.error) done.error = describe(json.error);
      else done.json = context.getString(json.value);
    }
  } catch (error) {
    // A WebAssembly trap or an overflow of the thread's stack; the instance is discarded in any case.
    done.error ??= brokenBy(error, memory);
  }
  if (stopped) {
    done.stopped = true;
    delete done.json;
  }
  // Nothing needs to be disposed: the complete instance is garbage collected.
  return done;
}

const OUT_OF_MEMORY: VmError = { name: "InternalError", message: "out of memory", stack: "", code: "MEMORY_LIMIT" };

/** Describes a failure of the engine in terms of the script. */
function brokenBy(error: unknown, memory: WebAssembly.Memory): VmError {
  if (error instanceof RangeError) return { name: "InternalError", message: "stack overflow", stack: "" };
  if (isFull(memory) || isMemoryTrap(error)) return OUT_OF_MEMORY;
  return { name: "InternalError", message: "the script made the JavaScript engine fail", stack: "" };
}

const isFull = (memory: WebAssembly.Memory) => memory.buffer.byteLength >= FULL_BYTES;

const isNull = (context: QuickJSContext, value: QuickJSHandle) => context.eq(value, context.null);

/** The allocator of the engine, which the library does not export in its types. */
interface Allocator {
  module: { _malloc(bytes: number): number; _free(address: number): void };
}

/**
 * The largest answer that does not end the script by exhausting its memory. Found by trial allocations, since the
 * engine does not count its free memory. (bytes of UTF-8)
 */
function roomOf(quickjs: QuickJSWASMModule, memory: WebAssembly.Memory): number {
  if (memory.buffer.byteLength <= ROOMY_BYTES) return MAX_ANSWER_BYTES;
  const { module } = quickjs as unknown as Allocator;
  for (let room = MAX_ANSWER_BYTES; room >= MIN_ROOM_BYTES; room /= 2) {
    const address = module._malloc(room * BYTES_PER_BYTE);
    if (address === 0) continue;
    module._free(address);
    return room;
  }
  return 0;
}

/** The search stops below this size (bytes). */
const MIN_ROOM_BYTES = 10_000;

interface Ran {
  error?: QuickJSHandle;
  value?: QuickJSHandle;
  /** Characters inserted before the first line. */
  shift?: number;
}

/**
 * Evaluates the program as a script and takes its completion value. A program that fails only because of a top-level
 * `return` runs as a function body.
 */
function evaluate(context: QuickJSContext, task: VmTask): Ran {
  const first = context.evalCode(task.code, task.filename, { type: "global" });
  if (!first.error) return { value: first.value };
  const [name, message] = [textMember(context, first.error, "name"), textMember(context, first.error, "message")];
  if (engineFailure({ name, message }) !== "top_level_return") return { error: first.error };
  // The wrapper adds no line break, so line numbers stay correct.
  const wrapped = context.evalCode(`${WRAP_OPEN}${task.code}${WRAP_CLOSE}`, task.filename, { type: "global" });
  return wrapped.error ? { error: wrapped.error, shift: WRAP_OPEN.length } : { value: wrapped.value };
}

/** A member of a thrown value, empty if it is no text. */
function textMember(context: QuickJSContext, thrown: QuickJSHandle, member: string): string {
  const value = context.getProp(thrown, member);
  return context.typeof(value) === "string" ? context.getString(value) : "";
}

/** The resources that the host calls of one execution use. */
interface Hosting {
  task: VmTask;
  deadline: number;
  expired: () => boolean;
  outside: Outside;
  /** The largest answer that fits at this moment (bytes of UTF-8). */
  room: () => number;
}

function hostFunction(context: QuickJSContext, { task, deadline, expired, outside, room }: Hosting): QuickJSHandle {
  const { control, port, post } = outside;
  let logged = 0;
  return context.newFunction("host", (kindHandle, textHandle) => {
    const kind = context.getNumber(kindHandle);
    if (kind === HOST.input) return context.newString(task.input);
    if (kind === HOST.limit) return context.newNumber(MAX_RESULT_CHARS);
    const text = context.getString(textHandle);
    if (kind === HOST.log) {
      if (logged > MAX_LOG_CHARS) return context.undefined;
      logged += text.length + 1;
      const cut = logged > MAX_LOG_CHARS ? `${text.slice(0, 1000)} … (further console output is dropped)` : text;
      post({ t: "log", id: task.id, text: cut });
      return context.undefined;
    }
    if (text.length > MAX_ARGS_CHARS)
      return context.newString(
        `{"ok":false,"error":{"code":"INVALID_ARGS","message":"the arguments are larger than ${MAX_ARGS_CHARS} characters"}}`,
      );
    if (expired()) throw new Error("interrupted");
    const call = nextCall();
    const out: CallOut = [task.id, call, kind as CallOut[2], text, room()];
    port.postMessage(out);
    for (;;) {
      // Read before receiving, so that a wake-up between the two is not lost.
      const wakeCount = Atomics.load(control, WAKE);
      const received = receiveMessageOnPort(port) as { message: CallBack } | undefined;
      if (received) {
        // An answer to a call of an earlier, stopped execution is dropped.
        if (received.message[0] === call) return context.newString(received.message[1]);
        continue;
      }
      if (expired()) throw new Error("interrupted");
      Atomics.wait(control, WAKE, wakeCount, Math.max(1, deadline - nowMs()));
    }
  });
}
