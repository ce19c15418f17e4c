import type { App } from "../../../core/app.ts";
import { Fault } from "../../../core/base/fault.ts";
import { acceptAnswer } from "./accept-answer.ts";
import { failedPage, signedInPage } from "./page.ts";

/** The page for a browser that returns from an authorization server. */
export async function answer(
  app: App,
  parameters: URLSearchParams,
): Promise<{ status: 200 | 400 | 500; html: string }> {
  try {
    const { server } = await acceptAnswer(app, parameters);
    return { status: 200, html: signedInPage(server) };
  } catch (error) {
    if (!(error instanceof Fault)) {
      app.log.error("finishing a sign-in failed", { stack: error instanceof Error ? error.stack : String(error) });
      return {
        status: 500,
        html: failedPage({ what: "internal error", suggestion: "see the log of the proxy" }),
      };
    }
    const { server = "", reason = "", suggestion = "", correlationId = "" } = error.facts as Record<string, string>;
    // If the response belongs to no sign-in, the page contains only the proxy's own text.
    const what = correlationId === "" ? reason : `the sign-in to the server ${server} failed`;
    return { status: 400, html: failedPage({ what, suggestion, correlationId }) };
  }
}
