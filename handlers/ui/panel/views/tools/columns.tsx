import { Visible } from "../../parts/diff.tsx";
import type { Column } from "../../parts/table.tsx";
import { count, Time } from "../../parts/time.tsx";
import { Hints, ToolState } from "../servers/tools.tsx";
import { Marked } from "./marked.tsx";
import type { Tool } from "./tool.ts";

interface Ranked extends Tool {
  rank: number;
  score: number;
}

const name = (t: Tool) => <span class="name">{t.name}</span>;
const server = (t: Tool) => t.server_name;
const about = (t: Tool) => t.description.split("\n", 1)[0] ?? "";

const SERVER: Column<Tool> = {
  id: "server",
  title: "Server",
  width: "minmax(5.5rem, 0.8fr)",
  from: "medium",
  sort: (t) => t.server_name,
  cell: (t) => <span class="muted">{t.server_name}</span>,
};
const STATE: Column<Tool> = {
  id: "state",
  title: "State",
  width: "7rem",
  sort: (t) => `${t.config_denied} ${t.disabled} ${t.approval_status}`,
  cell: (t) => <ToolState tool={t} />,
};
const DOES: Column<Tool> = {
  id: "does",
  title: "Does",
  width: "5.5rem",
  from: "wide",
  cell: (t) => <Hints annotations={t.annotations} />,
};
const CALLS: Column<Tool> = {
  id: "calls",
  title: "Calls",
  width: "4.5rem",
  align: "end",
  from: "medium",
  sort: (t) => t.usage,
  cell: (t) => count(t.usage),
};

/** A tool as a row of the list of all. */
export const LISTED: readonly Column<Tool>[] = [
  { id: "name", title: "Tool", width: "minmax(8rem, 1.2fr)", sort: (t) => t.name, cell: name, under: server },
  SERVER,
  STATE,
  {
    id: "about",
    title: "Description",
    width: "minmax(8rem, 2.5fr)",
    from: "medium",
    cell: (t) => (
      <span class="muted">
        <Visible text={about(t)} />
      </span>
    ),
  },
  DOES,
  CALLS,
  {
    id: "used",
    title: "Last used",
    width: "7rem",
    from: "wide",
    sort: (t) => t.last_used ?? "",
    cell: (t) => <span class="muted">{t.last_used ? <Time at={t.last_used} /> : "never"}</span>,
  },
];

/** As a client gets them: best first, each with its score and the words that stand in it. */
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
          <Marked text={t.name} query={query} />
        </span>
      ),
      under: server,
    },
    { ...SERVER, cell: (t) => <Marked text={t.server_name} query={query} /> },
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
          <Marked text={about(t)} query={query} />
        </span>
      ),
    },
    { ...STATE, from: "medium" },
    CALLS,
  ];
}
