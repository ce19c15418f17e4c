import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ReceivedPost } from "../../core/mcp/received-post.ts";
import { LISTENER_LIMITS } from "../listener-limits.ts";
import { createHttpDate } from "./http-date.ts";
import { PostConnection, type PostConnectionOwner } from "./post-connection.ts";
import type { PostResponse } from "./post-response.ts";

interface TakePostsOptions {
  /** True if a POST to this target, path and query, is answered by `answer`. */
  takes(target: string): boolean;
  answer(post: ReceivedPost): void;
  isRetired(): boolean;
  /** Called when a response was sent or its connection was closed. */
  closed(): void;
}

/** The connections of a server whose requests are read without `node:http`. */
export interface TakenPosts {
  /** True if a response is pending; open event streams do not count. */
  isAnswering(): boolean;
  /** Closes the connections that wait for their next request. */
  closeIdle(): void;
  closeAll(): void;
}

/**
 * Reads the connections of a server in place of `node:http`, as long as they send POSTs in the usual form, because
 * `node:http` would be a large part of the cost of a call. Everything else, from the first byte that differs, is read by `node:http`, which never learns that
 * something came before.
 */
export function takePosts(server: Server, options: TakePostsOptions): TakenPosts {
  const connections = new Set<PostConnection>();
  const pending = new Set<PostResponse>();
  const readers = server.listeners("connection");
  server.removeAllListeners("connection");
  const owner: PostConnectionOwner = {
    get isRetired() {
      return options.isRetired();
    },
    get stallTimeoutMs() {
      return server.timeout;
    },
    takes: options.takes,
    answer: options.answer,
    date: createHttpDate(),
    opened: (response) => void pending.add(response),
    closed(response) {
      pending.delete(response);
      options.closed();
    },
    handOver(socket) {
      for (const reader of readers) reader.call(server, socket);
    },
    refuse(socket, code) {
      server.emit("clientError", Object.assign(new Error("the request is not complete"), { code }), socket);
    },
    stalled: (socket) => void server.emit("timeout", socket),
    left: (connection) => void connections.delete(connection),
  };
  server.on("connection", (socket: Socket) => void connections.add(new PostConnection(owner, socket)));
  server.once("listening", () => {
    const timer = setInterval(() => {
      const now = performance.now();
      for (const connection of connections) connection.checkWait(now);
    }, LISTENER_LIMITS.connectionsCheckingInterval).unref();
    server.once("close", () => clearInterval(timer));
  });
  return {
    isAnswering: () => [...pending].some((response) => !response.staysOpen),
    closeIdle() {
      for (const connection of [...connections]) if (connection.isIdle && connection.wasUsed) connection.destroy();
    },
    closeAll() {
      for (const connection of [...connections]) connection.destroy();
    },
  };
}
