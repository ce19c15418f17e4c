import * as v from "valibot";
import { canonicalJson } from "../../core/base/canonical.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { parseJsonText } from "../../core/base/json-text.ts";
import { issueText, plainIssueText } from "../../core/schema/issue.ts";
import { members } from "../../core/schema/members.ts";
import { MAX_TOOL_DEPTH } from "../../core/schema/tool.ts";
import { Fault } from "./faults.ts";

/** Version of the format below; increased with any change that an older program would misread. */
export const LOCK_VERSION = 1;

/** A text as one string, or as its lines, so that a review shows a changed line as one line. */
const Text = v.union([v.string(), v.array(v.string())]);
const Members = members(v.unknown());

const Icon = v.object({
  src: v.string(),
  mimeType: v.optional(v.string()),
  sizes: v.optional(v.array(v.string())),
  theme: v.optional(v.picklist(["light", "dark"])),
});

const LockedTool = v.object({
  pin: v.string(),
  title: v.optional(v.string()),
  description: v.optional(Text),
  inputSchema: v.optional(Members),
  outputSchema: v.optional(Members),
  annotations: v.optional(Members),
  icons: v.optional(v.array(Icon)),
  _meta: v.optional(Members),
});
export type LockedTool = v.InferOutput<typeof LockedTool>;

const LockedItem = v.object({
  pin: v.string(),
  definition: v.pipe(Members, v.description("everything that the pin covers")),
});
export type LockedItem = v.InferOutput<typeof LockedItem>;

/** Items by name, URI or URI template. If a member is absent, items of that kind are not pinned. */
const lockedItemsEntries = {
  prompts: v.optional(members(LockedItem)),
  resources: v.optional(members(LockedItem)),
  resource_templates: v.optional(members(LockedItem)),
};
const LockedItems = v.object(lockedItemsEntries);
export type LockedItems = v.InferOutput<typeof LockedItems>;

const LockedServer = v.object({
  start: v.pipe(Members, v.description("command or url, with secrets as references only")),
  package: v.optional(
    v.object({
      source: v.string(),
      name: v.string(),
      version: v.optional(v.string()),
      integrity: v.optional(v.string()),
      digest: v.optional(v.string()),
    }),
  ),
  container: v.optional(
    v.pipe(
      v.object({ image: v.string(), digest: v.optional(v.string()) }),
      v.description("image, if it runs in a container"),
    ),
  ),
  instructions: v.optional(Text),
  tools: members(LockedTool),
  ...lockedItemsEntries,
});
export type LockedServer = v.InferOutput<typeof LockedServer>;

/** The content of `mcp.lock`: a pinned description of all servers. */
export const LockDocument = v.object({
  lockfile: v.literal(LOCK_VERSION),
  servers: members(LockedServer),
});
export type LockDocument = v.InferOutput<typeof LockDocument>;

/** Largest lock file read. (characters) */
const MAX_LOCK_CHARACTERS = 32 * 1024 * 1024;

/** Maximum depth. Tools are below `servers`, a server, `tools`, and a name; other items are one level deeper. */
const MAX_DEPTH = MAX_TOOL_DEPTH + 6;

/** Parses a lock file. @throws Fault lock_invalid with the problem */
export function readLock(text: string): LockDocument {
  if (text.length > MAX_LOCK_CHARACTERS)
    throw new Fault("lock_invalid", { reason: `it is larger than ${MAX_LOCK_CHARACTERS} characters` });
  let value: unknown;
  try {
    ({ value } = parseJsonText(text, MAX_DEPTH));
  } catch (error) {
    throw new Fault("lock_invalid", { reason: `it is not JSON: ${reasonOf(error)}` });
  }
  const version = (value as { lockfile?: unknown } | null)?.lockfile;
  if (typeof version === "number" && version > LOCK_VERSION)
    throw new Fault("lock_invalid", {
      reason: `its format ${version} is newer than this program supports; update the program`,
    });
  const read = v.safeParse(LockDocument, value, { message: plainIssueText });
  if (read.success) return read.output;
  throw new Fault("lock_invalid", { reason: issueText(read.issues) });
}

/** Invisible characters, which are written as escapes so that a review shows them. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\u007f-\u009f]|\p{Variation_Selector}|\p{Cs}|\u034f/gu;

/**
 * The text of the file: deterministic, with sorted keys and one item per line. It comes in pieces, one for each tool, so that the caller can yield to the event loop between them. */
export function* lockPieces(lock: LockDocument): Generator<string> {
  for (const piece of sortedPieces(lock, "\n", TOOLS_DEPTH)) yield piece.replace(UNSEEN, escaped);
  yield "\n";
}

/** Depth of the objects that are written member by member: the document, its servers, a server, its tools. */
const TOOLS_DEPTH = 4;

function* sortedPieces(value: unknown, newline: string, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    // Canonical JSON is sorted, and parsing keeps that order, except that names that are numbers come first.
    yield JSON.stringify(JSON.parse(canonicalJson(value)), null, 2).replaceAll("\n", newline);
    return;
  }
  const members = value as Record<string, unknown>;
  const sorted = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort();
  const inner = `${newline}  `;
  let before = `{${inner}`;
  // The object moves names that are numbers to the front, as in the text of a tool.
  for (const name of Object.keys(Object.fromEntries(sorted.map((name) => [name, true])))) {
    yield `${before}${JSON.stringify(name)}: `;
    yield* sortedPieces(members[name], inner, depth - 1);
    before = `,${inner}`;
  }
  yield sorted.length === 0 ? "{}" : `${newline}}`;
}

function escaped(char: string): string {
  return [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
}

/** A text in the form used in the file. */
export function textLines(text: string): string | string[] {
  return text.includes("\n") ? text.split("\n") : text;
}

/** Reverses `lines`; an absent text is empty. */
export function joinTextLines(text: string | string[] | undefined): string {
  return Array.isArray(text) ? text.join("\n") : (text ?? "");
}
