import type { Column } from "../../parts/table.tsx";
import { Highlighted } from "./highlighted.tsx";
import type { Tool } from "./tool.ts";
import { ABOUT, CALLS, DOES, firstLine, STATE, USED } from "./tool-labels.tsx";

interface Ranked extends Tool {
  rank: number;
  score: number;
}

const name = (t: Tool) => <span class="name">{t.name}</span>;
const server = (t: Tool) => t.server_name;

const SERVER: Column<Tool> = {
  id: "server",
  title: "Server",
  width: "minmax(5.5rem, 0.7fr)",
  from: "medium",
  sort: (t) => t.server_name,
  cell: (t) => <span class="muted">{t.server_name}</span>,
};
/** The columns of the list of all tools. */
export const LISTED: readonly Column<Tool>[] = [
  { id: "name", title: "Tool", width: "minmax(8rem, 1.6fr)", sort: (t) => t.name, cell: name, under: server },
  SERVER,
  STATE,
  ABOUT,
  DOES,
  CALLS,
  USED,
];

/** The columns of search results: in a client's order, with score and matching words. */
export function ranked(query: string, best: number): readonly Column<Ranked>[] {
  return [
    { id: "rank", title: "#", width: "1.5rem", sort: (t) => t.rank, cell: (t) => <span class="muted">{t.rank}</span> },
    {
      id: "name",
      title: "Tool",
      width: "minmax(8rem, 1.2fr)",
      sort: (t) => t.name,
      cell: (t) => (
        <span class="name">
          <Highlighted text={t.name} query={query} />
        </span>
      ),
      under: server,
    },
    { ...SERVER, cell: (t) => <Highlighted text={t.server_name} query={query} /> },
    {
      id: "score",
      title: "Score",
      width: "5.5rem",
      sort: (t) => -t.score,
      cell: (t) => (
        <span class="score">
          <meter class="bar" min={0} max={best} value={t.score} aria-label={`Score of ${t.name}`} />
          {t.score.toFixed(2)}
        </span>
      ),
    },
    {
      id: "about",
      title: "Description",
      width: "minmax(8rem, 2.8fr)",
      from: "medium",
      cell: (t) => (
        <span class="muted">
          <Highlighted text={firstLine(t)} query={query} />
        </span>
      ),
    },
    { ...STATE, from: "medium" },
    CALLS,
  ];
}
