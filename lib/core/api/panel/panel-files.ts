import { Fault } from "../../base/fault.ts";
import { lazy } from "../../base/lazy.ts";
import { packedFiles } from "../packed-files.ts";
import { PAGE_HEADERS } from "../page-headers.ts";

const files = lazy(() => packedFiles("panel.pack"));

/** Returns the page for every URL of the panel. The script in the page selects the view by the URL. */
export function panelPage(asked: Headers): Promise<Response> {
  return files().answer("index.html", asked, {
    ...PAGE_HEADERS,
    "Cross-Origin-Opener-Policy": "same-origin",
    // To unencrypted addresses in a network, browsers state the origin only in Referer
    // (lib/core/api/authenticate/same-origin.ts).
    "Referrer-Policy": "same-origin",
  });
}

/**
 * Returns a script, style or image of the panel. Its name contains a hash of its content, so it never changes.
 *
 * @throws Fault no_such_route
 */
export function panelFile(name: string, asked: Headers): Promise<Response> {
  if (name === "index.html" || !files().has(name)) throw new Fault("no_such_route", { path: `/ui/assets/${name}` });
  return files().answer(name, asked, { "Cache-Control": "public, max-age=31536000, immutable" });
}

/** Returns the names of the files with their compressed sizes in bytes. */
export const panelFiles = (): Record<string, number> => files().sizes();
