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

/** What the proxy refused, in its own words. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly code: string;
  /** Each thing that is wrong with a document, where the proxy names several. */
  readonly problems: readonly { field: string; message: string }[];
  constructor(status: number, body: Record<string, unknown>) {
    // Executions tell what went wrong in an envelope of their own.
    const { message, code } = (typeof body.error === "object" ? body.error : {}) as Record<string, unknown>;
    const said = [body.error, message].find((text) => typeof text === "string");
    super(said ?? `the proxy answered with status ${status}`);
    this.status = status;
    this.code = [body.code, code].find((text) => typeof text === "string") ?? "error";
    this.problems = Array.isArray(body.validation_errors) ? body.validation_errors : [];
  }
}

/** The proxy gave no answer at all. */
export class Away extends Error {
  override readonly name = "Away";
  constructor(cause?: unknown) {
    super("the proxy does not answer", { cause });
  }
}

interface CallOptions {
  signal?: AbortSignal;
  /** The revision that a change is meant for; another one meanwhile and it is refused (`changed_meanwhile`). */
  revision?: string;
  /** Under which the request is recorded; the proxy chooses one otherwise. */
  requestId?: string;
}

const TIMEOUT_MS = 60_000;

/** Told when the proxy says that nobody is signed in. */
let onSignedOut = () => {};
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/**
 * Asks an endpoint by the string it is declared with; arguments and answer have the endpoint's own types.
 *
 * @throws Refused, Away; the signal's reason when it aborts
 */
export async function call<R extends Route>(route: R, args: Args<R>, options: CallOptions = {}): Promise<Data<R>> {
  const { status, body } = await send(route, args as Loose, options);
  return (status === 204 ? undefined : body.data) as Data<R>;
}

/** As `call`, for an endpoint that answers without the general envelope. */
export async function callBare<R extends Route>(
  route: R,
  args: Args<R>,
  options: CallOptions & { timeoutMs?: number } = {},
): Promise<Data<R>> {
  return (await send(route, args as Loose, options)).body as Data<R>;
}

/** The address of a GET route, for a link or a download. */
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

/** What to tell a person about a failure. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
