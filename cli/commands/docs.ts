import { Fault } from "#lib/core/base/fault.ts";
import { nearestWords } from "#lib/core/base/nearest.ts";
import { command } from "../command.ts";
import { UsageError } from "../exit.ts";
import { openBrowser } from "../open-browser.ts";

export default command({
  meta: {
    group: "program",
    description: "Read the documentation of this version",
    detail:
      "Works without a running proxy. Errors and the findings of `proxy doctor` name the section that explains them.",
    examples: ["proxy docs", "proxy docs recipes", "proxy docs troubleshooting#server_failing", "proxy docs --web"],
  },
  args: {
    page: { type: "positional", required: false, description: "page, or page#section (default: the list of pages)" },
    web: { type: "boolean", description: "open the page of the running proxy in a browser" },
  },
  async run({ cli, args: { page: place = "", web } }) {
    const { guideSections } = await import("#lib/core/api/reference/guide-files.ts");
    const sections = guideSections();
    const [page = "", anchor = ""] = place.replace(".html", "").split("#");
    const found = place === "" ? [] : sectionsAt(sections, page, anchor);
    if (web) {
      const { web_ui_url } = await cli.call("GET /api/v1/info", {});
      if (web_ui_url === "") throw new Fault("no_listener");
      const name = page === "" ? "" : `${page}.html${anchor === "" ? "" : `#${anchor}`}`;
      const url = new URL(`../docs/guide/${name}`, web_ui_url).href;
      const opened = cli.stderr.columns !== undefined && (await openBrowser(url));
      return cli.show({ url, opened }, () => url);
    }
    if (place === "") {
      const pages = sections.filter((section) => section.anchor === "");
      return cli.show(
        pages.map(({ page: name, title }) => ({ page: name, title })),
        (rows) => rows.map((row) => `${row.page.padEnd(26)}${row.title}`).join("\n"),
      );
    }
    const text = found.map(({ heading, level, text: body }) => `${"#".repeat(level)} ${heading}\n\n${body}`.trim());
    return cli.show({ page, anchor, text: text.join("\n\n") }, (shown) => shown.text);
  },
});

interface Section {
  page: string;
  anchor: string;
  level: number;
}

/** The section with those below it; without an anchor the whole page. @throws UsageError that names similar ones */
function sectionsAt<S extends Section>(sections: readonly S[], page: string, anchor: string): S[] {
  const all = sections.filter((section) => section.page === page);
  if (all.length === 0) throw unknown(`page "${page}"`, page, [...new Set(sections.map((section) => section.page))]);
  const first = all.findIndex((section) => section.anchor === anchor);
  if (first < 0)
    throw unknown(
      `section "${anchor}" on the page "${page}"`,
      anchor,
      all.map((section) => section.anchor),
    );
  const rest = all.slice(first + 1);
  const end = rest.findIndex(({ level }) => level <= all[first]!.level);
  return [all[first]!, ...(end < 0 ? rest : rest.slice(0, end))];
}

function unknown(what: string, word: string, known: readonly string[]): UsageError {
  const near = nearestWords(word, known, 2);
  return new UsageError(`there is no ${what}; list the pages with: proxy docs`, near);
}
