import type { Writable } from "node:stream";
import { createConsola } from "consola/core";
import { type Clock, rfc3339, systemClock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { LogFile } from "./log-file.ts";
import type { Logger } from "./logger.ts";
import { type LogEntry, renderLogEntry } from "./render.ts";
import { renderJsonEntry } from "./render-json.ts";
import { currentRequestId } from "./request-id.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** `text`: lines for people. `json`: one JSON object a line, for programs. */
type LogFormat = "text" | "json";

/**
 * The program's log. It writes lines for people to standard error, never to standard output, and also to a file if set.
 */
export interface ProgramLog extends Logger {
  /** Changes the level for all further lines. */
  setLevel(level: LogLevel): void;
  /** Changes the format for all further lines. */
  setFormat(format: LogFormat): void;
  /** Sets what finds the trace of a request, by the request's id. */
  traceIdsFrom(find: (requestId: string) => string | undefined): void;
  /** Starts writing to a file as well; stops if `file` is undefined. */
  toFile(file: LogFile | undefined): void;
  /** Resolves when all lines are written to the file. */
  close(): Promise<void>;
}

interface LogOptions {
  level: LogLevel;
  /** Masks the secrets in a line. */
  scrub: (text: string) => string;
  out?: Writable | undefined;
  file?: LogFile | undefined;
  clock?: Clock | undefined;
}

const LEVELS: Record<LogLevel, number> = { error: 0, warn: 1, info: 3, debug: 4, trace: 5 };
const COLOURS: Record<LogLevel, number> = { error: 31, warn: 33, info: 36, debug: 90, trace: 90 };
/** Maximum number of bytes that wait for a slow reader of standard error. */
const MAX_WAITING = 1024 * 1024;

export function createLog({ level, scrub, out = process.stderr, file, clock = systemClock }: LogOptions): ProgramLog {
  const colour = "isTTY" in out && out.isTTY === true && !process.env.NO_COLOR;
  let unread = 0;
  let target = file;
  let format: LogFormat = "text";
  let traceIdOf: (requestId: string) => string | undefined = () => undefined;
  // If standard error is closed, the program continues.
  out.on("error", () => undefined);

  const put = (text: string) => {
    if (out.writableLength > MAX_WAITING) {
      unread++;
      return;
    }
    if (unread > 0) {
      const message = `${unread} lines dropped, because the reader was too slow`;
      const time = rfc3339(clock.now());
      out.write(format === "json" ? `${JSON.stringify({ time, level: "warn", message })}\n` : `… ${message}\n`);
    }
    unread = 0;
    out.write(text);
  };
  const consola = createConsola({
    level: LEVELS[level],
    // Without throttling no line is dropped. Its timer would also keep the process alive.
    throttle: 0,
    reporters: [
      {
        log({ type, tag, args }) {
          const [message, facts] = args as [string, Record<string, unknown> | undefined];
          const requestId = currentRequestId() ?? idIn(facts);
          const traceId = requestId === undefined ? undefined : traceIdOf(requestId);
          const entry = { message, facts, tag, requestId, traceId };
          const { printed, filed } = format === "json" ? jsonLines(type, entry) : textLines(type as LogLevel, entry);
          put(`${printed}\n`);
          if (target?.hasRoom()) target.write(filed);
        },
      },
    ],
  });

  const textLines = (level: LogLevel, entry: LogEntry) => {
    const { text, secret } = safely(
      () => renderLogEntry(entry, scrub),
      (text) => ({ text, secret: "" }),
    );
    const time = rfc3339(clock.now());
    const word = level.toUpperCase().padEnd(5);
    const shown = colour ? `\u001b[${COLOURS[level]}m${word}\u001b[0m` : word;
    return { printed: `${time} ${shown} ${text}${secret}`, filed: `${time} ${word.trimEnd()} ${text}` };
  };
  const jsonLines = (level: string, entry: LogEntry) => {
    const head = { time: rfc3339(clock.now()), level };
    return safely(
      () => renderJsonEntry({ ...head, ...entry }, scrub),
      (message) => {
        const line = JSON.stringify({ ...head, message });
        return { printed: line, filed: line };
      },
    );
  };

  const tagged = (tag: string): Logger => {
    const write = (type: LogLevel) => (message: string, facts?: Record<string, unknown>) =>
      consola[type]({ tag, args: [message, facts] });
    const logger: Logger = {
      trace: write("trace"),
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
      catch(tried, promise) {
        // Several callers may pass the same promise; its failure is logged once.
        if (watched.has(promise)) return;
        watched.add(promise);
        promise.catch((error: unknown) => {
          if (isAbort(error)) logger.debug(`${tried} was stopped`);
          // The store itself logs the failing disk once and, at the end, a count. A line per writer would flood the
          // log.
          else if (error instanceof Fault && error.code === "disk_failed") logger.debug(`${tried} failed`);
          else if (error instanceof Fault) logger.warn(`${tried} failed: ${error.message}`);
          else logger.error(`${tried} failed`, { error: error instanceof Error ? error : reasonOf(error) });
        });
      },
      tagged: (inner) => tagged(tag === "" ? inner : `${tag}:${inner}`),
    };
    return logger;
  };
  return {
    ...tagged(""),
    setLevel(next) {
      consola.level = LEVELS[next];
    },
    setFormat(next) {
      format = next;
    },
    traceIdsFrom(find) {
      traceIdOf = find;
    },
    toFile(next) {
      target = next;
    },
    async close() {
      await target?.close();
    },
  };
}

const watched = new WeakSet<Promise<unknown>>();

const isAbort = (error: unknown) => error instanceof Error && error.name === "AbortError";

/** Tool calls pass the id of their request as a fact. */
function idIn(facts: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof facts?.request_id === "string" ? facts.request_id : undefined;
}

/** Renders a line. If that fails, the failure is logged instead of thrown. */
function safely<T>(make: () => T, instead: (message: string) => T): T {
  try {
    return make();
  } catch (error) {
    return instead(`a line was withheld: ${error instanceof Error ? error.name : "unknown failure"}`);
  }
}
