import { Badge, Tag } from "../../parts/badge.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { Column } from "../../parts/table.tsx";
import { byText, clientOf, type Entry, kindsOf, moment, STATUS, subjectOf, TYPES, took } from "./labels.ts";

/** The columns of an activity record. */
export const COLUMNS: readonly Column<Entry>[] = [
  {
    id: "time",
    title: "Time",
    width: "var(--time)",
    cell: (r) => (
      <time class="mono muted when" dateTime={r.timestamp} title={r.timestamp}>
        {moment(r.timestamp)}
      </time>
    ),
  },
  {
    id: "status",
    title: <span class="result">Result</span>,
    width: "var(--result)",
    cell: (r) => (
      <span class="result">
        <Badge tone={STATUS[r.status][1]}>{STATUS[r.status][0]}</Badge>
      </span>
    ),
  },
  {
    id: "what",
    title: "What",
    width: "minmax(7rem, 3fr)",
    cell: (r) => (
      <>
        {r.parent_id !== undefined && (
          <span class="muted" title="called by a script">
            <span aria-hidden="true">↳ </span>
            <span class="unsaid">called by a script: </span>
          </span>
        )}
        <span class="name">{subjectOf(r)}</span> <span class="muted">{r.error_message}</span>
      </>
    ),
    under: (r) => [r.server_name, clientOf(r), took(r)].filter(Boolean).join(", "),
  },
  {
    id: "sensitive",
    title: "",
    width: "2rem",
    from: "medium",
    cell: (r) =>
      r.has_sensitive_data && (
        <span class={`sensitive ${r.max_severity ?? ""}`} title={`Sensitive data: ${kindsOf(r).join(", ")}`}>
          <Icon name="shield" size={14} />
          <span class="unsaid">sensitive data found</span>
        </span>
      ),
  },
  {
    id: "server",
    title: "Server",
    width: "minmax(5rem, 1fr)",
    from: "medium",
    cell: (r) => <span class="muted">{r.server_name || "–"}</span>,
  },
  { id: "type", title: "Kind", width: "9.5rem", from: "wide", cell: (r) => <Tag>{TYPES[r.type]}</Tag> },
  {
    id: "actor",
    title: "Client",
    width: "minmax(5.5rem, 1fr)",
    from: "medium",
    cell: (r) => (
      <span class="muted truncate" title={byText(r)}>
        {clientOf(r) || "–"}
      </span>
    ),
  },
  {
    id: "took",
    title: "Duration",
    width: "4.5rem",
    align: "end",
    from: "medium",
    cell: (r) => <span class="muted">{took(r)}</span>,
  },
];
