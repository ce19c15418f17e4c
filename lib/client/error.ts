/** A refusal of the REST API, with what the person needs to find it in the log. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(answer: { status: number; message: string; code: string; requestId: string | undefined }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
  }
}
