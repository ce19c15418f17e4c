/** An error response of the REST API, with the request ID to find it in the log. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** The complete body, because some errors have further members. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(answer: {
    status: number;
    message: string;
    code: string;
    requestId: string | undefined;
    body?: Readonly<Record<string, unknown>>;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
    this.body = answer.body ?? {};
  }
}
