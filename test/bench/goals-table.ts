/** One goal and what was measured. */
export interface Goal {
  what: string;
  goal: number;
  is: "at most" | "at least";
  unit: string;
  /** Missing where this machine lacks what it takes, such as the program to compare with. */
  measured?: number;
}

export interface Report {
  date: string;
  machine: string;
  versions: string;
  goals: Goal[];
}

export function verdictOf({ goal, is, measured }: Goal): "pass" | "short" | "not measured here" {
  if (measured === undefined) return "not measured here";
  return (is === "at most" ? measured <= goal : measured >= goal) ? "pass" : "short";
}

/** As Markdown. */
export function goalsTable({ date, machine, versions, goals }: Report): string {
  const rows = goals.map((one) => {
    const { what, goal, is, unit, measured } = one;
    return `| ${what} | ${is} ${goal} ${unit} | ${measured ?? ""} | ${verdictOf(one)} |`;
  });
  return [
    `Measured on ${date}: ${machine}; ${versions}.`,
    "",
    "| goal | bound | measured | |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The run that the page shows, and the page. */
export const SAVED = "docs/internals/performance.json";
export const PAGE = "docs/internals/performance.md";

const SECTION = /(?<=<!-- goals: made by `npm run bench -- --save` -->\n).*?(?=<!-- \/goals -->)/s;

/** The page with another run in it. */
export function withGoals(page: string, report: Report): string {
  if (!SECTION.test(page)) throw new Error(`${PAGE} has no place for the goals`);
  return page.replace(SECTION, () => `\n${goalsTable(report)}\n\n`);
}
