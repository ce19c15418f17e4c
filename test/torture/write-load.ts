import { setTimeout as sleep } from "node:timers/promises";
import { KEY } from "#test/e2e/daemon.ts";

/** What became of changes that were made through a balancer. */
export interface WriteCounts {
  /** Changes that were answered with success. */
  acknowledged: number;
  /** Changes whose answer was lost, so that either outcome is right. */
  unknown: number;
  /** Acknowledged changes that were not there later. */
  readonly lost: string[];
}

export interface WriteLoad {
  readonly counts: WriteCounts;
  /** Ends the changes, and checks at each address that every acknowledged one is there. */
  stop(urls: () => readonly string[]): Promise<WriteCounts>;
}

/** What is added and removed again and again. */
const KINDS = {
  server: {
    add: (name: string) => ["POST", "/servers", { name, url: "http://127.0.0.1:9/mcp", enabled: false }] as const,
    remove: (name: string) => ["DELETE", `/servers/${name}`] as const,
    list: "/servers",
    member: "servers",
  },
  token: {
    add: (name: string) => ["POST", "/tokens", { name }] as const,
    remove: (name: string) => ["DELETE", `/tokens/${name}/permanent`] as const,
    list: "/tokens",
    member: "tokens",
  },
} as const;

/** A change that another replica made is visible at every replica after this time, also on a busy machine. (ms) */
const VISIBLE_MS = 15_000;
/** A change without an answer may still be under way in the database for this time. (ms) */
const SETTLED_MS = 3000;
/** The same for a change whose answer did not come in time: the machine is busy. (ms) */
const LATE_SETTLED_MS = 15_000;
const ANSWER_LIMIT_MS = 20_000;
const NAMES = 8;

/**
 * Adds and removes servers and tokens. A change that contradicts an acknowledged one (there is nothing to remove, or
 * something is there already) shows that the earlier one was lost.
 *
 * @param pauseMs pause between two changes of a thing
 */
export function startWriteLoad(url: string, pauseMs = 100): WriteLoad {
  const counts: WriteCounts = { acknowledged: 0, unknown: 0, lost: [] };
  /** Whether each thing is there, as far as that is known. */
  const state = new Map<string, boolean | undefined>();
  let isStopped = false;

  const write = async (kind: keyof typeof KINDS, name: string) => {
    const key = `${kind} ${name}`;
    const history: string[] = [];
    /** What is tried next while the state is unknown. */
    let isUp = true;
    for (let isThere: boolean | undefined = false; !isStopped; ) {
      const wanted: boolean = isThere === undefined ? isUp : !isThere;
      const [method, path, body]: readonly [string, string, object?] = KINDS[kind][wanted ? "add" : "remove"](name);
      const sent = Date.now();
      const { status, replica } = await repeated(() => request(url, method, path, body), isThere === undefined);
      history.push(`${sent} to ${Date.now()} ${method} ${status} ${replica}`);
      if (status >= 200 && status < 300) {
        counts.acknowledged++;
        isThere = wanted;
      } else if ((status === 404 || status === 409) && isThere !== undefined) {
        counts.lost.push(`${method} ${path}: ${status}; before: ${history.slice(-8).join(", ")}`);
        isThere = undefined;
      } else if (status === 404 || status === 409) {
        // The replica may not know yet what became of the change without an answer. Only an acknowledged one tells.
        isUp = !isUp;
        await sleep(200);
      } else {
        counts.unknown++;
        isThere = undefined;
        await sleep(Date.now() - sent >= ANSWER_LIMIT_MS ? LATE_SETTLED_MS : SETTLED_MS);
      }
      state.set(key, isThere);
      await sleep(pauseMs);
    }
  };
  const running = (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((kind) =>
    Array.from({ length: NAMES }, (_, index) => write(kind, `torture-${index}`)),
  );
  return {
    counts,
    async stop(urls) {
      isStopped = true;
      await Promise.all(running);
      for (const at of urls()) counts.lost.push(...(await missing(at, state)));
      return counts;
    },
  };
}

/** Repeats a change that contradicts an acknowledged one until every replica must know that one. */
async function repeated(send: () => Promise<Said>, isUnknown: boolean): Promise<Said> {
  const end = Date.now() + VISIBLE_MS;
  for (;;) {
    const said = await send();
    if ((said.status !== 404 && said.status !== 409) || isUnknown || Date.now() > end) return said;
    await sleep(100);
  }
}

interface Said {
  /** 0 if there was no answer. */
  readonly status: number;
  /** The replica that answered, or why there was no answer. */
  readonly replica: string;
}

async function request(url: string, method: string, path: string, body?: object): Promise<Said> {
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "x-api-key": KEY, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    await response.arrayBuffer();
    return { status: response.status, replica: response.headers.get("x-replica") ?? "" };
  } catch (error) {
    return { status: 0, replica: String(error) };
  }
}

/** Returns what differs from the acknowledged changes at one replica. */
async function missing(url: string, state: ReadonlyMap<string, boolean | undefined>): Promise<string[]> {
  const end = Date.now() + VISIBLE_MS;
  for (;;) {
    const there = new Set<string>();
    for (const [kind, { list, member }] of Object.entries(KINDS)) {
      const response = await fetch(`${url}/api/v1${list}?limit=1000`, { headers: { "x-api-key": KEY } });
      const { data } = (await response.json()) as { data: Record<string, { name: string }[]> };
      for (const { name } of data[member] ?? []) there.add(`${kind} ${name}`);
    }
    const wrong = [...state].filter(([key, isThere]) => isThere !== undefined && there.has(key) !== isThere);
    if (wrong.length === 0) return [];
    if (Date.now() > end) return wrong.map(([key, isThere]) => `${url}: ${key} is ${isThere ? "missing" : "there"}`);
    await sleep(100);
  }
}
