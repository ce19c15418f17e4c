import { asset } from "../../base/asset.ts";
import { Fault } from "../../base/fault.ts";
import { lazy } from "../../base/lazy.ts";
import { answerCompressed, PAGE_HEADERS } from "../page-headers.ts";

/** The position of each file in the pack. The pack begins with a line that contains this index. */
type Index = Readonly<Record<string, { type: string; at: number; length: number }>>;

/** The files of the panel, packed by the build. */
const pack = lazy(() => {
  const bytes = asset("panel.pack");
  const end = bytes.indexOf(10);
  return { index: JSON.parse(bytes.toString("utf8", 0, end)) as Index, bodies: bytes.subarray(end + 1) };
});

/** Returns the page for every URL of the panel. The script in the page selects the view by the URL. */
export function panelPage(asked: Headers): Promise<Response> {
  return answer("index.html", asked, {
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
  if (name === "index.html" || !Object.hasOwn(pack().index, name))
    throw new Fault("no_such_route", { path: `/ui/assets/${name}` });
  return answer(name, asked, { "Cache-Control": "public, max-age=31536000, immutable" });
}

/** Returns the names of the files with their compressed sizes in bytes. */
export function panelFiles(): Record<string, number> {
  return Object.fromEntries(Object.entries(pack().index).map(([name, { length }]) => [name, length]));
}

function answer(name: string, asked: Headers, headers: Record<string, string>): Promise<Response> {
  const { index, bodies } = pack();
  const { type, at, length } = index[name]!;
  return answerCompressed(bodies.subarray(at, at + length), type, asked, headers);
}
