import { part } from "../app.ts";
import type { ListenerKind } from "../schema/caller.ts";

/** What is measured of one request of an MCP client while it runs. */
export interface ObservedRequest {
  /** Duration of its calls at servers, including the wait for slots (ms); undefined if it called none. */
  upstreamMs?: number;
  /** True if its result is a tool result with `isError`. */
  isToolError?: boolean;
}

/** A request of an MCP client that was answered. */
interface AnsweredRequest {
  readonly method: string;
  readonly protocolVersion: string;
  readonly listener: ListenerKind;
  /** From the parsed message to the text of its response (ms). */
  readonly durationMs: number;
  readonly upstreamMs: number | undefined;
  /** `tool_error`, the code of a JSON-RPC error, `cancelled`, or `internal`; undefined if the request succeeded. */
  readonly errorType: string | undefined;
}

/** A call, or another request of a client, that was sent to its server. */
interface ObservedCall {
  readonly method: string;
  readonly server: string;
  /** Name of the tool or other item as its server writes it. */
  readonly item: string;
  readonly durationMs: number;
  /** `tool_error`, the code of a fault, or the code of the server's JSON-RPC error; undefined if the call succeeded. */
  readonly errorType: string | undefined;
}

/** Receives measurements of the traffic, without arguments and results. Its methods must be fast and must not throw. */
export interface TrafficObserver {
  answered(request: AnsweredRequest): void;
  called(call: ObservedCall): void;
}

/** The observers of the traffic. Without one, no call pays for them: what measures is not in its path. */
interface Traffic extends TrafficObserver {
  /** @returns a function that removes the observer */
  observe(observer: TrafficObserver): () => void;
  /** Calls `follow` when the first observer is added and when the last one is removed; at once if there is one. */
  onObserved(follow: (isObserved: boolean) => void): void;
}

export const traffic = part<Traffic>("traffic", () => {
  const observers = new Set<TrafficObserver>();
  const followers: ((isObserved: boolean) => void)[] = [];
  const announce = (isObserved: boolean) => {
    for (const follow of followers) follow(isObserved);
  };
  return {
    observe(observer) {
      observers.add(observer);
      if (observers.size === 1) announce(true);
      return () => {
        if (observers.delete(observer) && observers.size === 0) announce(false);
      };
    },
    onObserved(follow) {
      followers.push(follow);
      if (observers.size > 0) follow(true);
    },
    answered(request) {
      for (const observer of observers) observer.answered(request);
    },
    called(call) {
      for (const observer of observers) observer.called(call);
    },
  };
});
