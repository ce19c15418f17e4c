import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Citation {
  file: string;
  /** A requirement's id, or a section such as `000 §2.5`. */
  cites: string;
}

const CALL = /\bverifies\(\s*(\[[^\]]*\]|"[^"]*")/g;
const TITLE = /\(spec (?=00[01])([^()]*)\)/g;
const PLACE =
  /\b(00[01])\b|§(\d+(?:\.\d+)*(?: (?:(?:rules?|item)(?: \d+)?|table|registries|connect|info|container|routing)\b)?)/g;

/** What one test file says that it proves: ids in `verifies(…)` calls and sections in `(spec 000 §…)` titles. */
export function citations(file: string, text: string): { ids: Citation[]; sections: Citation[] } {
  const ids = [...text.matchAll(CALL)].flatMap(([, list]) =>
    [...list!.matchAll(/"([^"]*)"/g)].map(([, id]) => ({ file, cites: id! })),
  );
  const sections = [...text.matchAll(TITLE)].flatMap(([, list]) => {
    let document = "";
    return [...list!.matchAll(PLACE)].flatMap(([, named, section]) => {
      if (named) document = named;
      return section ? [{ file, cites: `${document} §${section.replace(/ (item|rules) (?=\d)/, " rule ")}` }] : [];
    });
  });
  return { ids, sections };
}

/** The citations of every test file below a folder; the tests of the citing itself are left out. */
export function allCitations(root: string): { ids: Citation[]; sections: Citation[] } {
  const found = { ids: [] as Citation[], sections: [] as Citation[] };
  for (const name of readdirSync(root, { recursive: true })
    .map((f) => String(f).replaceAll("\\", "/"))
    .sort()) {
    if (!name.endsWith(".test.ts") || name.startsWith("spec/")) continue;
    const { ids, sections } = citations(name, readFileSync(join(root, name), "utf8"));
    found.ids.push(...ids);
    found.sections.push(...sections);
  }
  return found;
}
