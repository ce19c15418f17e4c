import { stat } from "node:fs/promises";
import { type Link, linkOf } from "./chain.ts";
import { linesOf, listAside } from "./file.ts";
import type { Noted } from "./head.ts";

interface Verified {
  ok: boolean;
  lines: number;
  files: number;
  /** Numbers of the first and last line that were read. */
  first?: number;
  last?: number;
  problems: Problem[];
}

export interface Problem {
  file: string;
  /** Line in the file, from 1; absent if the problem concerns the complete log. */
  line?: number;
  kind: "altered" | "missing" | "order" | "cut_off" | "no_head" | "noted";
  text: string;
}

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 100;

/**
 * Reads an audit log from its oldest line to its newest and finds lines that were changed, removed, added or moved, and
 * an end that was truncated.
 *
 * @param path the newest file; the rotated files beside it are read too
 * @param head the recorded end of the log; `undefined` for a copy that need not reach it
 * @param onLine called with each valid line
 */
export async function verifyTrail(
  path: string,
  head: Noted | undefined,
  onLine: (link: Link, text: string) => void = () => {},
): Promise<Verified> {
  const found: Verified = { ok: true, lines: 0, files: 0, problems: [] };
  const report = (problem: Problem) => {
    found.ok = false;
    if (found.problems.length < MAX_PROBLEMS) found.problems.push(problem);
  };
  let before: Link | undefined;
  let atHead: Link | undefined;
  for (const file of await files(path)) {
    found.files++;
    let line = 0;
    for await (const text of linesOf(file)) {
      line++;
      found.lines++;
      const link = linkOf(text);
      if (typeof link === "string") {
        report({ file, line, kind: "altered", text: `line ${line} ${link}` });
        continue;
      }
      onLine(link, text);
      found.first ??= link.seq;
      found.last = link.seq;
      const problem = misplaced(before, link);
      if (problem) report({ file, line, ...problem });
      const broken = brokenNote(text);
      if (broken !== undefined) report({ file, line, kind: "noted", text: `at this start of the proxy ${broken}` });
      if (typeof head === "object" && link.seq === head.seq) atHead = link;
      before = link;
    }
  }
  const lacking = against(head, found, atHead);
  if (lacking) report({ file: path, ...lacking });
  return found;
}

function misplaced(before: Link | undefined, { seq, prev }: Link): Omit<Problem, "file" | "line"> | undefined {
  if (!before || (seq === before.seq + 1 && prev === before.hash)) return undefined;
  if (seq > before.seq + 1)
    return { kind: "missing", text: `${seq - before.seq - 1} line(s) between ${before.seq} and ${seq} are missing` };
  if (seq <= before.seq) return { kind: "order", text: `line ${seq} follows line ${before.seq}` };
  return { kind: "altered", text: `line ${before.seq} is not the line that originally preceded line ${seq}` };
}

function brokenNote(text: string): string | undefined {
  if (!text.includes('"event":"audit_start"')) return undefined;
  try {
    const { event, broken } = JSON.parse(text) as { event?: unknown; broken?: unknown };
    return event !== "audit_start" || broken === undefined ? undefined : String(broken);
  } catch {
    return "the log contains text that is not JSON";
  }
}

function against(
  head: Noted | undefined,
  { first, last = 0, lines }: Verified,
  atHead: Link | undefined,
): Omit<Problem, "file"> | undefined {
  if (head === undefined) return undefined;
  if (head === "forged") return { kind: "altered", text: "the recorded end of the log was changed" };
  if (head === "no_key")
    return {
      kind: "no_head",
      text: "audit.key is missing, so a truncated end cannot be detected; restore the key",
    };
  if (head === "absent")
    return lines === 0
      ? undefined
      : { kind: "no_head", text: "the end of the log is not recorded; the log may be truncated" };
  if (last < head.seq)
    return { kind: "cut_off", text: `the log ends at line ${last}, but ${head.seq} lines were written` };
  if ((first ?? 0) > head.from)
    return { kind: "cut_off", text: `the log begins at line ${first}, but was kept from line ${head.from} on` };
  if (atHead?.hash !== head.hash && head.seq > 0)
    return { kind: "altered", text: `line ${head.seq} is not the line that was written` };
  return undefined;
}

async function files(path: string): Promise<string[]> {
  const newest = await stat(path).then(
    () => [path],
    () => [],
  );
  return [...(await listAside(path)).map((one) => one.path), ...newest];
}
