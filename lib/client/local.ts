import type { Send } from "./client.ts";

/** What answers requests within this process. */
export interface InProcess {
  fetch(request: Request): Promise<Response>;
}

/** The same calls against a router in this process, for commands that work without a daemon. */
export function local(router: InProcess): Send {
  return async ({ method, path, body, signal }) => {
    const request = new Request(`http://localhost${path}`, {
      method,
      signal,
      ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
    });
    const response = await router.fetch(request);
    return { status: response.status, text: await response.text() };
  };
}
