import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../../api.ts";
import { useDebounced } from "../../debounced.ts";
import { useLive } from "../../live.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Search, Segments, segmentsOf } from "../../parts/filter.tsx";
import { Rules } from "../../parts/findings.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { count, plural, Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, href } from "../../route.ts";

export type Registry = Data<"GET /api/v1/registries">["registries"][number];
type Found = Data<"GET /api/v1/registries/{id}/servers">;
type Listed = Found["servers"][number];

const KINDS = { "": "All", npm: "npm", pypi: "PyPI", oci: "Container", remote: "Remote" } as const;
/** Number of entries shown at first, and added each time. */
const STEP = 25;
/** Maximum number of results of the API. */
const MAX_RESULTS = 1000;

/** The search: the registry's ID, words, and a kind of package. */
export interface Asked {
  registry: string;
  q: string;
  tag: string;
}

/** Searches one registry. */
export function SearchRegistry(props: {
  all: readonly Registry[];
  asked: Asked;
  onAsk(changes: Partial<Asked>): void;
  /** Called when a server is selected; by default its page opens. */
  onChoose?: (registry: string, server: string) => void;
}) {
  const { all, asked, onAsk, onChoose } = props;
  const { q: text, tag } = asked;
  const id = all.find((r) => r.id === asked.registry)?.id ?? all[0]?.id;
  const [limit, setLimit] = useState(STEP);
  const settled = useDebounced(text.trim(), 300);
  const found = useLive(
    "GET /api/v1/registries/{id}/servers",
    id === undefined ? undefined : { params: { id }, query: { search: settled, tag, limit: String(limit) } },
  );
  const offline = all.find((r) => r.id !== id && r.tags.includes("offline"));
  const ask = (changes: Partial<Asked>) => {
    setLimit(STEP);
    onAsk(changes);
  };
  if (id === undefined)
    return (
      <Section>
        <Empty icon="registry" title="No registries" />
      </Section>
    );
  return (
    <>
      <div class="filters" role="search">
        <select
          class="input"
          aria-label="Registry"
          value={id}
          onChange={(e) => ask({ registry: e.currentTarget.value })}
        >
          {all.map((r) => (
            <option key={r.id} value={r.id}>
              {r.name}
            </option>
          ))}
        </select>
        <Search
          label="Search the registry"
          placeholder="What the server should do, in a few words"
          value={text}
          onValue={(q) => ask({ q })}
        />
        <Segments label="Kind" value={tag} options={segmentsOf<string>(KINDS)} onValue={(key) => ask({ tag: key })} />
      </div>
      <Shown of={found}>
        {(answer) => (
          <>
            {answer.unavailable && (
              <Unavailable found={answer} retry={found.refresh}>
                {offline && (
                  <Button small kind="main" onClick={() => ask({ registry: offline.id })}>
                    Use {offline.name}
                  </Button>
                )}
              </Unavailable>
            )}
            <Section
              flush
              title={answer.total === 0 ? "Nothing found" : plural(answer.total, "server")}
              actions={<Age id={id} found={answer} refresh={found.refresh} />}
            >
              {answer.servers.length === 0 ? (
                <Empty
                  icon="search"
                  title={
                    answer.unavailable
                      ? "No data from this registry yet"
                      : text === ""
                        ? "This registry has no servers of this kind"
                        : "No servers match"
                  }
                >
                  {answer.unavailable
                    ? "Its servers appear here when the registry responds. Until then you can add servers manually."
                    : text !== "" && "Try fewer words, another kind, or another registry."}
                </Empty>
              ) : (
                <ul class="lines">
                  {answer.servers.map((s) => (
                    <Entry key={s.id} registry={id} server={s} onChoose={onChoose} />
                  ))}
                  {answer.total > answer.servers.length && limit < MAX_RESULTS && (
                    <li>
                      <Button small kind="bare" onClick={() => setLimit(Math.min(MAX_RESULTS, limit * 2))}>
                        Show more of {count(answer.total)}
                      </Button>
                    </li>
                  )}
                </ul>
              )}
            </Section>
          </>
        )}
      </Shown>
    </>
  );
}

function Unavailable(props: { found: Found; retry(): void; children: ComponentChildren }) {
  const { found, retry, children } = props;
  return (
    <div class="notice warn" role="status">
      <Icon name="warn" />
      <div class="grow">
        <strong>
          {found.servers.length > 0
            ? "The registry does not respond; these results are from the cache"
            : "The registry does not respond"}
        </strong>
        <p>{found.unavailable?.reason}</p>
      </div>
      <Button small icon="refresh" onClick={retry}>
        Try again
      </Button>
      {children}
    </div>
  );
}

/** The age of the result, with a button to refresh it. */
function Age({ id, found, refresh }: { id: string; found: Found; refresh(): void }) {
  const { age_seconds: seconds, stale } = found.cache;
  const anew = async () => {
    try {
      await call("POST /api/v1/registries/{id}/refresh", { params: { id } });
      refresh();
    } catch (error) {
      toast(reasonOf(error), { tone: "bad" });
    }
  };
  return (
    <>
      {found.skipped !== undefined && <span class="hint">{plural(found.skipped, "entry", "entries")} unreadable</span>}
      <span class={`hint${stale ? " warn" : ""}`}>
        read <Time at={Date.now() - seconds * 1000} />
      </span>
      <Button small kind="bare" icon="refresh" label="Refresh the registry" onClick={anew} />
    </>
  );
}

interface EntryProps {
  registry: string;
  server: Listed;
  onChoose: ((registry: string, server: string) => void) | undefined;
}

function Entry({ registry, server: s, onChoose }: EntryProps) {
  return (
    <li>
      <div class="grow">
        {onChoose ? (
          <button type="button" class="name link" onClick={() => onChoose(registry, s.id)}>
            {s.name}
          </button>
        ) : (
          <a class="name" href={href(at("registries", registry, s.id))}>
            {s.name}
          </a>
        )}{" "}
        {s.version && <span class="muted">{s.version}</span>}
        <p class="muted clamp">
          {s.withheld
            ? "The description is hidden because of these findings. An administrator can read it."
            : s.description || "No description."}
        </p>
      </div>
      <div class="row">
        <Rules of={s.findings} />
        {s.status && <Badge tone="warn">{s.status}</Badge>}
        {s.added.length > 0 && <Badge tone="ok">Added</Badge>}
        {s.not_installable !== undefined && <Badge tone="off">Cannot be added</Badge>}
        {s.kind && <Tag>{s.kind}</Tag>}
      </div>
    </li>
  );
}
