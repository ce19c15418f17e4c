import type { Clock } from "../../base/clock.ts";
import { OutputThrottle } from "../stdio/throttle.ts";
import type { TransportReceiver } from "../transport.ts";
import { type EventStreamHandler, EventStreamReader } from "./event-stream-reader.ts";
import { type HttpHost, withAuthorization } from "./http-host.ts";
import type { ResponseControl, ResponseHandler } from "./plain-http-connection.ts";

export interface ServerStreamOwner {
  readonly host: HttpHost;
  readonly receiver: TransportReceiver;
  readonly clock: Clock;
  readonly generation: number;
  headers(authorization: string | undefined): Record<string, string>;
}

/** First and longest wait before a broken stream is opened again. (ms) */
const REOPEN_MS = [1000, 30_000] as const;
/** Maximum time to wait for the headers, because some servers send them only with the first event. (ms) */
const SILENT_OFFER_MS = 2000;
/** Maximum of a response without a stream that is read, so that its connection can serve the next request. */
const MAX_REST = { bytes: 64 * 1024, ms: 1000 } as const;

/** One function for all: one made where it is assigned would keep the variables of that place. */
const nothing = () => {};

/**
 * The event stream for messages of the server that belong to no request (MCP, streamable HTTP: GET). It is opened again
 * when it breaks. `offered` resolves with whether the server has such a stream.
 */
export class ServerStream implements ResponseHandler, EventStreamHandler {
  readonly offered: Promise<boolean>;
  /**
   * Resolves when the stream is open, when the server has none, or after a maximum time; undefined if there is nothing
   * to wait for. While the stream is not open, a question that names no request would be lost.
   */
  opening: Promise<void> | undefined;
  private readonly owner: ServerStreamOwner;
  private readonly generation: number;
  private stopOpening = nothing;
  private stopRest = nothing;
  private tellOffer: (offered: boolean) => void = nothing;
  /** Absent once it is known that the server has no stream. */
  private stream: EventStreamReader | undefined;
  private controller: ResponseControl | undefined;
  private gate: OutputThrottle | undefined;
  private status = 0;
  /** Bytes received of a response that is not a stream; undefined: it is a stream. */
  private restBytes: number | undefined;
  private waitMs: number = REOPEN_MS[0];
  private stopWait: (() => void) | undefined;
  private hadOne = false;
  private over = false;
  private closed = false;
  private shown: string | undefined;

  constructor(owner: ServerStreamOwner) {
    this.owner = owner;
    this.generation = owner.generation;
    this.stream = new EventStreamReader(this);
    this.offered = new Promise((done) => {
      this.tellOffer = done;
    });
    this.beginOpening();
    this.open();
  }

  close(): void {
    this.over = true;
    this.closed = true;
    this.stopWait?.();
    this.stopRest();
    this.tellOffer(false);
    this.stopOpening();
    this.controller?.abort(new Error("closed"));
  }

  onRequestStart(controller: ResponseControl): void {
    this.controller = controller;
    this.gate = new OutputThrottle(this.owner.clock, controller);
    if (this.over) controller.abort(new Error("closed"));
  }

  onResponseStart(
    controller: ResponseControl,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status;
    const stream = status === 200 && String(headers["content-type"] ?? "").startsWith("text/event-stream");
    this.tellOffer(stream);
    this.stopOpening();
    if (stream) {
      this.waitMs = REOPEN_MS[0];
      // With an event id the server repeats missed messages; without one, they are lost.
      if (this.hadOne && !this.stream?.lastEventId) this.owner.receiver.resumed();
      this.hadOne = true;
      return;
    }
    // Servers without a stream respond with 404 as well as 405. Only if the server had a stream before, 404 means that
    // the session is unknown.
    const unknown = this.hadOne && this.generation > 0 && (status === 404 || status === 400);
    // Status 405: the server has no stream. A status from 500 on may be a transient problem of an intermediary.
    this.over = status < 500;
    const { bearer } = this.owner.host;
    if (status === 401 && bearer && this.hadOne) {
      const challenge = headers["www-authenticate"];
      bearer.handleRefusal(this.shown, challenge === undefined ? undefined : String(challenge)).then(
        (again) => {
          if (!again || this.closed) return;
          this.over = false;
          this.open();
        },
        () => {},
      );
    }
    if (unknown) this.owner.receiver.sessionLost(this.generation);
    this.restBytes = 0;
    this.stopRest = this.owner.clock.after(MAX_REST.ms, () => controller.abort(new Error("not a stream")));
  }

  onResponseData(controller: ResponseControl, chunk: Buffer): void {
    if (this.restBytes !== undefined) {
      this.restBytes += chunk.length;
      if (this.restBytes > MAX_REST.bytes) controller.abort(new Error("not a stream"));
    } else if (this.status === 200 && !this.over) this.stream?.feed(chunk);
  }

  onResponseEnd(): void {
    this.ended();
  }

  onResponseError(): void {
    this.ended();
  }

  private ended(): void {
    this.stopRest();
    // All of these hold memory, also if no other stream is opened: the connection, its buffers, a timer.
    this.stopRest = nothing;
    this.controller = undefined;
    this.gate = undefined;
    if (this.over && !this.hadOne) {
      this.stream = undefined;
      this.tellOffer = nothing;
    }
    this.again();
  }

  event(name: string, data: string): void {
    this.gate?.tick();
    if (name !== "message") return;
    const read = this.owner.receiver.message(data);
    if (typeof read !== "boolean") this.gate?.holdUntil(read);
  }

  tooLong(head: string, tail: string, bytes: number): void {
    this.owner.receiver.tooLong(head, tail, bytes);
  }

  private open(): void {
    withAuthorization(
      this.owner.host,
      (authorization) => this.dispatch(authorization),
      () => this.again(),
    );
  }

  private dispatch(authorization: string | undefined): void {
    if (this.closed) return;
    const { host } = this.owner;
    const lastEventId = this.stream?.lastEventId;
    this.shown = authorization;
    const headers: Record<string, string> = { ...this.owner.headers(authorization), accept: "text/event-stream" };
    if (lastEventId) headers["last-event-id"] = lastEventId;
    this.stream = new EventStreamReader(this);
    this.stream.lastEventId = lastEventId;
    this.status = 0;
    this.restBytes = undefined;
    host.dispatch({ method: "GET", path: host.path, headers }, this);
  }

  private beginOpening(): void {
    if (this.opening) return;
    this.opening = new Promise((done) => {
      const stopTimer = this.owner.clock.after(SILENT_OFFER_MS, () => {
        this.tellOffer(true);
        this.stopOpening();
      });
      this.stopOpening = () => {
        this.stopOpening = nothing;
        stopTimer();
        this.opening = undefined;
        done();
      };
    });
  }

  private again(): void {
    if (this.over) return;
    this.beginOpening();
    const ms = this.stream?.retryMs ?? this.waitMs;
    this.waitMs = Math.min(REOPEN_MS[1], this.waitMs * 2);
    this.stopWait = this.owner.clock.after(ms, () => this.open());
  }
}
