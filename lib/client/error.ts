/** A refusal of the REST API, with what the person needs to find it in the log. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** The whole answer: some refusals say more. */
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
