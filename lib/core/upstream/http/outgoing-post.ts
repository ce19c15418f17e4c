import { reasonOf } from "../../base/fault.ts";
import { GatheredText } from "../../base/gathered-text.ts";
import type { UpstreamAuthorization } from "../authorization.ts";
import { SessionLost, SignInNeeded, UpstreamError } from "../errors.ts";
import { MAX_UPSTREAM_MESSAGE_BYTES } from "../stdio/line-splitter.ts";
import type { OutgoingRequest, OutgoingText, TransportReceiver } from "../transport.ts";
import { type EventStreamHandler, EventStreamReader } from "./event-stream-reader.ts";
import { explainHttpError, type HttpHost, redirectTarget } from "./http-host.ts";
import { httpRefusal } from "./http-refusal.ts";
import type { ResponseControl, ResponseHandler } from "./plain-http-connection.ts";
import type { ResponseHeaders } from "./response-parser.ts";

type Headers = ResponseHeaders;

/** The parts of its transport that a post uses. */
export interface OutgoingPostOwner {
  readonly host: HttpHost;
  readonly receiver: TransportReceiver;
  /** Number of the current session; 0: the server has not opened one. */
  readonly generation: number;
  /** Sends the request of a post: for the first time, after a redirect, or with another authorization. */
  dispatch(post: OutgoingPost): void;
  /** Called with the headers of a successful response, before its body. */
  answered(request: OutgoingRequest | undefined, headers: Headers): void;
  /**
   * Called with the headers of any response to `server/discover`. Some servers open a session for it even when they
   * reject it. That session must not be used, because `initialize` within it would fail.
   */
  discovered(headers: Headers): void;
  /** Called when the response is complete or was given up. */
  ended(post: OutgoingPost): void;
  /** Requests the rest of an interrupted response. */
  resume(request: OutgoingRequest, lastEventId: string, retryMs: number | undefined): void;
}

const MAX_REDIRECTS = 3;
/** Maximum length of the body of an error response that is read. (bytes) */
const REFUSAL_BYTES = 64 * 1024;
/** How long an event stream may stay open after its response. (ms) */
const LINGER_MS = 5000;
/** Timeout of a notification, which has no deadline of its own. (ms) */
const NOTIFY_MS = 10_000;

/** One HTTP POST with a message, and its response: JSON or an event stream. */
export class OutgoingPost implements ResponseHandler, EventStreamHandler {
  readonly request: OutgoingRequest | undefined;
  readonly text: OutgoingText;
  readonly lastEventId: string | undefined;
  /** The authorization with which it was sent. */
  shown: string | undefined;
  private readonly owner: OutgoingPostOwner;
  private readonly generation: number;
  private controller: ResponseControl | undefined;
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

  /** @param lastEventId if given, the rest of an interrupted response is requested and `text` is not sent */
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

  /** True when the response is complete or was given up. */
  get isOver(): boolean {
    return this.over;
  }

  abort(): void {
    if (this.over) return;
    this.finish();
    this.controller?.abort(new Error("its caller has gone"));
  }

  onRequestStart(controller: ResponseControl): void {
    this.controller = controller;
    if (this.over) controller.abort(new Error("its caller has gone"));
  }

  onResponseStart(_controller: ResponseControl, status: number, headers: Headers): void {
    // Interim responses (status 1xx) are ignored.
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

  onResponseData(_controller: ResponseControl, chunk: Buffer): void {
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

  onResponseError(_controller: ResponseControl | undefined, error: Error): void {
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
    // No more data is read until the large message is parsed; otherwise such messages would fill the memory.
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

  /** Calls `act` when a large message, which may be the response, is parsed. */
  private afterReading(act: () => void): void {
    if (this.reading) void this.reading.then(act);
    else act();
  }

  private streamEnded(stream: EventStreamReader): void {
    const { request } = this;
    if (!request || !this.owner.receiver.awaits(request.id)) return;
    const from = stream.lastEventId;
    // If the stream ended at the same event as before, the server has no more to send.
    if (from !== undefined && from !== this.lastEventId) this.owner.resume(request, from, stream.retryMs);
    else this.owner.receiver.failed(request.id, new UpstreamError("it closed the stream before the response"));
  }

  /**
   * Sends a request again with another authorization, if there is one. A request rejected with status 401 was not
   * executed.
   */
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

  /** Ends the post without a response. */
  broken(error: Error): void {
    if (this.over) return;
    this.finish();
    this.fail(error);
  }

  private refused(): void {
    const { status, challenge } = this;
    const answer = { status, challenge, body: this.body.take() };
    // `initialize` names no session.
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

  /** Some servers keep the stream open after the response. It is closed, because it occupies a connection. */
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
