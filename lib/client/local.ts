import type { Send } from "./client.ts";

/** A router in this process. */
export interface InProcess {
  fetch(request: Request): Promise<Response>;
}

/**
 * Sends requests to a router in this process, for commands that work without a daemon.
 *
 * @param agent the user agent, as over HTTP
 */
export function local(router: InProcess, agent: string): Send {
  return async ({ method, path, body, requestId, signal }) => {
    const request = new Request(`http://localhost${path}`, {
      method,
      signal,
      headers: {
        "user-agent": agent,
        ...(requestId !== undefined && { "x-request-id": requestId }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    const response = await router.fetch(request);
    return { status: response.status, text: await response.text() };
  };
}
