import type { Api } from "#handlers/routes.gen.ts";
import type { ArgsOf, DataOf } from "#lib/client/client.ts";

/** A route of the API, such as `GET /api/v1/servers`. */
export type Route = keyof Api & string;
export type GetRoute = Extract<Route, `GET ${string}`>;
export type Args<R extends Route> = ArgsOf<Api[R]>;
export type Data<R extends Route> = DataOf<Api[R]>;

interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** An error response of the proxy, with its message. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly code: string;
  /** The problems of a document, if the response lists several. */
  readonly problems: readonly { field: string; message: string }[];
  constructor(status: number, body: Record<string, unknown>) {
    // Executions report errors in an envelope of their own.
    const { message, code } = (typeof body.error === "object" ? body.error : {}) as Record<string, unknown>;
    const said = [body.error, message].find((text) => typeof text === "string");
    super(said ?? `the proxy answered with status ${status}`);
    this.status = status;
    this.code = [body.code, code].find((text) => typeof text === "string") ?? "error";
    this.problems = Array.isArray(body.validation_errors) ? body.validation_errors : [];
  }
}

/** The proxy did not respond. */
export class Away extends Error {
  override readonly name = "Away";
  constructor(cause?: unknown) {
    super("the proxy does not answer", { cause });
  }
}

interface CallOptions {
  signal?: AbortSignal;
  /** The revision that a change applies to; for any other revision it is rejected (`changed_meanwhile`). */
  revision?: string;
  /** The request ID for the activity record; by default chosen by the proxy. */
  requestId?: string;
}

const TIMEOUT_MS = 60_000;

/** Called when a response says that nobody is signed in. */
let onSignedOut = () => {};
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/**
 * Calls an endpoint by its route; arguments and result have the endpoint's types.
 *
 * @throws Refused, Away; the signal's reason when it aborts
 */
export async function call<R extends Route>(route: R, args: Args<R>, options: CallOptions = {}): Promise<Data<R>> {
  const { status, body } = await send(route, args as Loose, options);
  return (status === 204 ? undefined : body.data) as Data<R>;
}

/** Like `call`, for an endpoint whose response has no envelope. */
export async function callBare<R extends Route>(
  route: R,
  args: Args<R>,
  options: CallOptions & { timeoutMs?: number } = {},
): Promise<Data<R>> {
  return (await send(route, args as Loose, options)).body as Data<R>;
}

/** The URL of a GET route, for a link or a download. */
export function address<R extends GetRoute>(route: R, args: Args<R>): string {
  return addressOf(route, args as Loose);
}

function addressOf(route: string, { params = {}, query = {} }: Loose): string {
  const path = route
    .slice(route.indexOf(" ") + 1)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([k, value]): [string, string] => [k, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

async function send(
  route: string,
  args: Loose,
  { signal, revision, requestId, timeoutMs = TIMEOUT_MS }: CallOptions & { timeoutMs?: number },
) {
  const deadline = AbortSignal.timeout(timeoutMs);
  const method = route.slice(0, route.indexOf(" "));
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(addressOf(route, args), {
      method,
      credentials: "same-origin",
      headers: {
        Accept: "application/json",
        "X-Proxy-Panel": "1",
        ...(revision !== undefined && { "If-Match": `"${revision}"` }),
        ...(requestId !== undefined && { "X-Request-Id": requestId }),
        ...(method !== "GET" && { "Content-Type": "application/json" }),
      },
      ...(method !== "GET" && { body: JSON.stringify(args.body ?? {}) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    text = await answer.text();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new Away(cause);
  }
  const body = parsed(text);
  if (!answer.ok) {
    if (answer.status === 401 && !route.endsWith("/ui/session")) onSignedOut();
    throw new Refused(answer.status, body);
  }
  return { status: answer.status, body };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The text about a failure for the user. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
