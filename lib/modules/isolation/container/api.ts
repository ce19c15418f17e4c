import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { reasonOf } from "../../../core/base/fault.ts";
import type { EngineAddress } from "./engine-address.ts";

/** An engine's error response, or the reason why it did not respond. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

interface Ask {
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Called for each line of a streamed response. */
  readonly onLine?: (line: string) => void;
  /** Maximum size of the response, instead of the default (bytes). */
  readonly most?: number;
}

/** The Docker Engine API, as Docker, Podman and Colima speak it, over one socket. */
export interface EngineApi {
  /** @throws EngineError for a status of 400 and above, and if there is no response */
  ask(method: string, path: string, options: Ask): Promise<unknown>;
  /** Opens a container's standard streams in both directions on one connection. @throws EngineError */
  attach(id: string, signal: AbortSignal): Promise<{ socket: Socket; head: Buffer }>;
}

/** Default maximum size of a response (bytes). */
const MAX_BYTES = 8 * 1024 * 1024;

export function engineApi({ at, ...address }: EngineAddress): EngineApi {
  const open = (method: string, path: string, headers: Record<string, string>, signal: AbortSignal) =>
    request({ ...address, method, path, signal, agent: false, headers: { host: "localhost", ...headers } });
  const silent = (error: unknown) => new EngineError(`${at}: ${reasonOf(error)}`, undefined, { cause: error });

  return {
    ask(method, path, { body, signal, onLine, most }) {
      return new Promise((done, fail) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const headers = text === undefined ? {} : lengthOf(text);
        const request = open(method, path, headers, signal);
        request.on("error", (error) => fail(signal.aborted ? signal.reason : silent(error)));
        request.on("response", (answer) => {
          collect(answer, { onLine, most }).then(
            (whole) => {
              const status = answer.statusCode ?? 0;
              if (status >= 400) fail(new EngineError(messageIn(whole) || `status ${status}`, status));
              else done(parsed(whole));
            },
            (error) => fail(signal.aborted ? signal.reason : silent(error)),
          );
        });
        request.end(text);
      });
    },
    attach(id, signal) {
      const path = `/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1`;
      const request = open("POST", path, { connection: "Upgrade", upgrade: "tcp", "content-length": "0" }, signal);
      return attached(request, silent);
    },
  };
}

const lengthOf = (text: string) => ({
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(text)),
});

function attached(request: ClientRequest, silent: (error: unknown) => EngineError) {
  return new Promise<{ socket: Socket; head: Buffer }>((done, fail) => {
    request.on("error", (error) => fail(silent(error)));
    request.on("upgrade", (_, socket, head) => done({ socket: socket as Socket, head }));
    request.on("response", (answer) => {
      collect(answer).then(
        (whole) => fail(new EngineError(messageIn(whole) || "it supports no attached streams", answer.statusCode)),
        (error) => fail(silent(error)),
      );
    });
    request.end();
  });
}

interface Collecting {
  onLine?: Ask["onLine"] | undefined;
  most?: number | undefined;
}

function collect(answer: IncomingMessage, { onLine, most = MAX_BYTES }: Collecting = {}): Promise<string> {
  return new Promise((done, fail) => {
    let [text, rest] = ["", ""];
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => {
      if (onLine && (answer.statusCode ?? 0) < 400) {
        const lines = (rest + part).split("\n");
        rest = lines.pop()!.slice(0, most);
        lines.forEach(onLine);
      } else if (text.length + part.length > most) answer.destroy(new Error("its response is too large"));
      else text += part;
    });
    answer.on("error", fail);
    answer.on("end", () => {
      if (rest.trim() !== "") onLine?.(rest);
      done(text);
    });
  });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the error text: Docker sends `message`, Podman `cause` and `message`. */
function messageIn(text: string): string {
  const answer = parsed(text) as { message?: unknown } | string | undefined;
  return typeof answer === "object" && typeof answer?.message === "string" ? answer.message : text.trim().slice(0, 500);
}
