import type { Dispatcher } from "undici";
import { reasonOf } from "../../base/fault.ts";
import { GatheredText } from "../../base/gathered-text.ts";
import type { UpstreamAuthorization } from "../authorization.ts";
import { SessionLost, SignInNeeded, UpstreamError } from "../errors.ts";
import { MAX_UPSTREAM_MESSAGE_BYTES } from "../stdio/line-splitter.ts";
import type { OutgoingRequest, OutgoingText, TransportReceiver } from "../transport.ts";
import { type EventStreamHandler, EventStreamReader } from "./event-stream-reader.ts";
import { explainHttpError, type HttpHost, redirectTarget } from "./http-host.ts";
import { httpRefusal } from "./http-refusal.ts";

type Headers = Record<string, string | string[] | undefined>;

/** What a post needs of the transport it belongs to. */
export interface OutgoingPostOwner {
  readonly host: HttpHost;
  readonly receiver: TransportReceiver;
  /** Of the session that requests name now; 0: none was given out yet. */
  readonly generation: number;
  /** Sends its request: at first, after a redirect, and with another authorization. */
  dispatch(post: OutgoingPost): void;
  /** Headers of a successful answer, before its body. */
  answered(request: OutgoingRequest | undefined, headers: Headers): void;
  /**
   * Headers of any answer to `server/discover`. Some servers open a session for it even when they refuse it; nobody uses
   * that session, and `initialize` within it would fail.
   */
  discovered(headers: Headers): void;
  /** Its response is over, or was given up. */
  ended(post: OutgoingPost): void;
  /** Looks for the rest of an interrupted answer. */
  resume(request: OutgoingRequest, lastEventId: string, retryMs: number | undefined): void;
}

const MAX_REDIRECTS = 3;
/** A refusal's text is quoted, not kept. (bytes) */
const REFUSAL_BYTES = 64 * 1024;
/** How long a stream may stay open after it brought its answer. (ms) */
const LINGER_MS = 5000;
/** How long a notification, which has no deadline of its own, may hold a connection. (ms) */
const NOTIFY_MS = 10_000;

/** One HTTP request that carries a message, and its response: JSON, or a stream of events. */
export class OutgoingPost implements Dispatcher.DispatchHandler, EventStreamHandler {
  readonly request: OutgoingRequest | undefined;
  readonly text: OutgoingText;
  readonly lastEventId: string | undefined;
  /** The authorization that it went out with. */
  shown: string | undefined;
  private readonly owner: OutgoingPostOwner;
  private readonly generation: number;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private readonly body = new GatheredText();
  private reading: Promise<unknown> | undefined;
  private stream: EventStreamReader | undefined;
  private challenge: string | undefined;
  private contentType = "";
  private redirects = 0;
  private moving = false;
  private renewed = false;
  private over = false;
  private linger: NodeJS.Timeout | undefined;

  /** @param lastEventId when given, the rest of an interrupted answer is fetched instead of sending `text` */
  constructor(
    owner: OutgoingPostOwner,
    text: OutgoingText,
    request: OutgoingRequest | undefined,
    lastEventId?: string,
  ) {
    this.owner = owner;
    this.text = text;
    this.request = request;
    this.lastEventId = lastEventId;
    this.generation = owner.generation;
    if (!request) this.linger = setTimeout(() => this.abort(), NOTIFY_MS).unref();
  }

  /** Its response is over, or was given up. */
  get isOver(): boolean {
    return this.over;
  }

  abort(): void {
    if (this.over) return;
    this.finish();
    this.controller?.abort(new Error("its caller has gone"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(new Error("its caller has gone"));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // An interim answer says nothing yet.
    if (status < 200) return;
    this.status = status;
    this.contentType = String(headers["content-type"] ?? "");
    if (status === 307 || status === 308) {
      this.redirect(headers.location);
      return;
    }
    if (this.request?.method === "server/discover") this.owner.discovered(headers);
    if (status >= 300) {
      this.challenge = headers["www-authenticate"] === undefined ? undefined : String(headers["www-authenticate"]);
      return;
    }
    this.owner.answered(this.request, headers);
    if (this.contentType.startsWith("text/event-stream")) this.stream = new EventStreamReader(this);
    else if (Number(headers["content-length"] ?? 0) > MAX_UPSTREAM_MESSAGE_BYTES)
      this.tooMuch(Number(headers["content-length"]));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over || this.moving) return;
    if (this.stream) {
      this.stream.feed(chunk);
      this.lingering();
      return;
    }
    const size = this.body.sizeBytes + chunk.length;
    if (this.status < 300 && size > MAX_UPSTREAM_MESSAGE_BYTES) this.tooMuch(size);
    else if (this.status < 300 || size <= REFUSAL_BYTES) this.body.add(chunk);
  }

  onResponseEnd(): void {
    if (this.over) return;
    if (this.moving) {
      this.moving = false;
      this.owner.dispatch(this);
      return;
    }
    if (this.status === 401 && this.owner.host.bearer && !this.renewed) {
      this.renew(this.owner.host.bearer);
      return;
    }
    this.finish();
    const { request, stream } = this;
    if (stream) this.afterReading(() => this.streamEnded(stream));
    else if (this.status >= 300) this.refused();
    else if (request) this.answer(request);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.over) return;
    this.finish();
    const { stream } = this;
    this.afterReading(() => {
      if (stream?.lastEventId !== undefined) this.streamEnded(stream);
      else this.fail(explainHttpError(error, this.owner.host));
    });
  }

  event(name: string, data: string): void {
    if (name !== "message") return;
    const read = this.owner.receiver.message(data, this.request?.id);
    if (typeof read === "boolean") return;
    // More of them would pile up.
    this.controller?.pause();
    this.reading = read.then(() => this.controller?.resume());
  }

  tooLong(head: string, tail: string, bytes: number): void {
    this.owner.receiver.tooLong(head, tail, bytes);
    if (this.request && this.owner.receiver.awaits(this.request.id)) this.tooMuch(bytes);
  }

  private answer(request: OutgoingRequest): void {
    const { receiver } = this.owner;
    const isEmpty = this.body.sizeBytes === 0;
    if (!isEmpty) {
      const read = receiver.message(this.body.take(), request.id);
      if (typeof read !== "boolean") this.reading = read;
    }
    this.afterReading(() => {
      if (!receiver.awaits(request.id)) return;
      const got = isEmpty ? `nothing (HTTP ${this.status})` : this.contentType || "no content type";
      receiver.failed(request.id, new UpstreamError(`it returned ${got} instead of a JSON-RPC response`));
    });
  }

  /** A large message takes several turns to be read, and may be the answer. */
  private afterReading(act: () => void): void {
    if (this.reading) void this.reading.then(act);
    else act();
  }

  private streamEnded(stream: EventStreamReader): void {
    const { request } = this;
    if (!request || !this.owner.receiver.awaits(request.id)) return;
    const from = stream.lastEventId;
    // The same place as before: there is no more to come.
    if (from !== undefined && from !== this.lastEventId) this.owner.resume(request, from, stream.retryMs);
    else this.owner.receiver.failed(request.id, new UpstreamError("it closed the stream before the response"));
  }

  /** A request that was refused at the door was not executed, so it may be sent once more with what else there is. */
  private renew(bearer: UpstreamAuthorization): void {
    this.renewed = true;
    bearer.handleRefusal(this.shown, this.challenge).then(
      (again) => {
        if (this.over) return;
        if (!again) return this.broken(new SignInNeeded());
        this.body.take();
        this.owner.dispatch(this);
      },
      (error: unknown) => this.broken(new UpstreamError(reasonOf(error), { cause: error })),
    );
  }

  /** It ends without a response. */
  broken(error: Error): void {
    if (this.over) return;
    this.finish();
    this.fail(error);
  }

  private refused(): void {
    const { status, challenge } = this;
    const answer = { status, challenge, body: this.body.take() };
    // A handshake names no session.
    const generation = this.request?.method === "initialize" ? 0 : this.generation;
    const error = httpRefusal(this.owner.host, answer, generation);
    if (error instanceof SessionLost) this.owner.receiver.sessionLost(generation);
    this.fail(error);
  }

  private redirect(location: string | string[] | undefined): void {
    try {
      if (++this.redirects > MAX_REDIRECTS) throw new UpstreamError("it redirects in a loop");
      this.owner.host.path = redirectTarget(location, this.owner.host);
      this.moving = true;
    } catch (error) {
      this.finish();
      this.fail(error as Error);
    }
  }

  private tooMuch(bytes: number): void {
    this.abort();
    this.fail(
      new UpstreamError(
        `its response of ${bytes} bytes or more is larger than the maximum of ${MAX_UPSTREAM_MESSAGE_BYTES}`,
      ),
    );
  }

  private fail(error: Error): void {
    if (this.request) this.owner.receiver.failed(this.request.id, error);
    else if (!(error instanceof SessionLost)) this.owner.receiver.fault(`it rejected a notification: ${error.message}`);
  }

  /** A server that keeps the stream open after its answer would hold a connection for ever. */
  private lingering(): void {
    if (this.linger || !this.request || this.owner.receiver.awaits(this.request.id)) return;
    this.linger = setTimeout(() => this.abort(), LINGER_MS).unref();
  }

  private finish(): void {
    this.over = true;
    if (this.linger) clearTimeout(this.linger);
    this.owner.ended(this);
  }
}
