import { reasonOf } from "../../base/fault.ts";
import { SignInNeeded, UpstreamError } from "../errors.ts";
import type { OutgoingRequest, OutgoingText, TransportReceiver } from "../transport.ts";
import { explainHttpError, type HttpHost, withAuthorization } from "./http-host.ts";
import type { ResponseControl, ResponseHandler } from "./plain-http-connection.ts";
import { challengeIn, type Headers, type Mending, sseRefusal } from "./sse-refusal.ts";

/** The connection to whose server a message is posted. */
interface SseConnection {
  readonly host: HttpHost;
  readonly receiver: TransportReceiver;
  /** Returns the headers of a posted message. */
  headersWith(authorization: string | undefined): Record<string, string>;
}

/** Timeout until a server has accepted a message; its response comes later on the stream. (ms) */
const DELIVERY_MS = 30_000;

/** One posted message. Its response comes on the stream, so here only a rejection matters. */
export class SseDelivery implements ResponseHandler {
  private readonly sse: SseConnection;
  private readonly path: string;
  private readonly text: OutgoingText;
  private readonly request: OutgoingRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private shown: string | undefined;
  private isLast = false;
  private mending: Mending | undefined;

  constructor(sse: SseConnection, path: string, text: OutgoingText, request: OutgoingRequest | undefined) {
    this.sse = sse;
    this.path = path;
    this.text = text;
    this.request = request;
  }

  start(): void {
    const { host } = this.sse;
    withAuthorization(
      host,
      (authorization) => {
        this.shown = authorization;
        const headers = this.sse.headersWith(authorization);
        host.dispatch({ method: "POST", path: this.path, headers, body: this.text }, this);
      },
      (error) => this.fail(error),
    );
  }

  onRequestStart(controller: ResponseControl): void {
    this.timer = setTimeout(
      () => controller.abort(new UpstreamError("it does not accept messages")),
      DELIVERY_MS,
    ).unref();
  }

  onResponseStart(_controller: ResponseControl, status: number, headers: Headers): void {
    const { bearer } = this.sse.host;
    if (status === 401 && bearer && !this.isLast) this.mending = { bearer, challenge: challengeIn(headers) };
    else if (status >= 300) this.fail(sseRefusal(status, headers, "", bearer));
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
    if (this.mending) this.mend(this.mending);
  }

  onResponseError(_controller: ResponseControl | undefined, error: Error): void {
    clearTimeout(this.timer);
    if (this.mending) this.mend(this.mending);
    else this.fail(error instanceof UpstreamError ? error : explainHttpError(error, this.sse.host));
  }

  private mend({ bearer, challenge }: Mending): void {
    this.mending = undefined;
    this.isLast = true;
    bearer.handleRefusal(this.shown, challenge).then(
      (again) => (again ? this.start() : this.fail(new SignInNeeded())),
      (error: unknown) => this.fail(new UpstreamError(reasonOf(error), { cause: error })),
    );
  }

  private fail(error: Error): void {
    if (this.request) this.sse.receiver.failed(this.request.id, error);
    else this.sse.receiver.fault(`it rejected a notification: ${error.message}`);
  }
}
