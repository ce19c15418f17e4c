import { asset } from "../../base/asset.ts";
import { Fault } from "../../base/fault.ts";
import { lazy } from "../../base/lazy.ts";
import { answerCompressed, PAGE_HEADERS } from "../page-headers.ts";

/** Where each file lies in the pack, after the line that says so. */
type Index = Readonly<Record<string, { type: string; at: number; length: number }>>;

/** The panel as the build packed it. */
const pack = lazy(() => {
  const bytes = asset("panel.pack");
  const end = bytes.indexOf(10);
  return { index: JSON.parse(bytes.toString("utf8", 0, end)) as Index, bodies: bytes.subarray(end + 1) };
});

/** The page that every address of the panel answers: it finds out in the browser which page is meant. */
export function panelPage(asked: Headers): Promise<Response> {
  return answer("index.html", asked, {
    ...PAGE_HEADERS,
    "Cross-Origin-Opener-Policy": "same-origin",
    // A plain address in a network: the browser names the page's origin nowhere else (lib/core/api/authenticate/same-origin.ts).
    "Referrer-Policy": "same-origin",
  });
}

/**
 * A script, style or picture of the panel. Its name has its content's hash in it, so it never changes.
 *
 * @throws Fault no_such_route
 */
export function panelFile(name: string, asked: Headers): Promise<Response> {
  if (name === "index.html" || !Object.hasOwn(pack().index, name))
    throw new Fault("no_such_route", { path: `/ui/assets/${name}` });
  return answer(name, asked, { "Cache-Control": "public, max-age=31536000, immutable" });
}

/** The names of the files, with their compressed sizes in bytes. */
export function panelFiles(): Record<string, number> {
  return Object.fromEntries(Object.entries(pack().index).map(([name, { length }]) => [name, length]));
}

function answer(name: string, asked: Headers, headers: Record<string, string>): Promise<Response> {
  const { index, bodies } = pack();
  const { type, at, length } = index[name]!;
  return answerCompressed(bodies.subarray(at, at + length), type, asked, headers);
}
