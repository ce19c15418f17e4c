import type { Argument, Package } from "../entry.ts";
import { argumentWords } from "./argument-words.ts";
import { type InputLookup, textOf } from "./fill.ts";

const PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const NAME = new RegExp(`^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\\d{1,5})?/)?${PART}(?:/${PART})*$`);
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Tags that always refer to the newest version. */
const MOVING_TAGS = new Set(["latest", "main", "master", "edge", "nightly", "dev", "stable"]);

interface Image {
  name: string;
  tag?: string;
  digest?: string;
}

/** True if the text is the name of an image, with or without a tag or digest. */
export const isImage = (identifier: string): boolean => split(identifier) !== undefined;

/** Parses `name`, `name:tag` or `name@digest`, with or without a registry's host. */
function split(identifier: string): Image | undefined {
  const [before = "", digest] = identifier.split("@");
  const colon = before.lastIndexOf(":");
  // A colon before a slash belongs to a port.
  const tagged = colon > before.lastIndexOf("/");
  const name = tagged ? before.slice(0, colon) : before;
  const tag = tagged ? before.slice(colon + 1) : undefined;
  if (identifier.split("@").length > 2 || !NAME.test(name)) return undefined;
  if ((tag !== undefined && !TAG.test(tag)) || (digest !== undefined && !DIGEST.test(digest))) return undefined;
  return { name, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) };
}

/** The image with its digest or a fixed tag. @throws Error if it has neither */
export function pinnedImage({ identifier, version, base }: Package): string {
  const { name, tag, digest } = split(identifier)!;
  const host = base === undefined ? "" : hostOf(base);
  const first = name.split("/")[0]!;
  const full = host === "" || /[.:]/.test(first) ? name : `${host}/${name}`;
  if (digest !== undefined) return `${full}@${digest}`;
  if (version !== undefined && DIGEST.test(version)) return `${full}@${version}`;
  const requestedTag = tag ?? version;
  if (requestedTag === undefined)
    throw new Error(`it names no version of the image ${name}; the proxy only runs pinned versions`);
  if (!TAG.test(requestedTag) || MOVING_TAGS.has(requestedTag))
    throw new Error(
      `"${requestedTag}" is not a single version of the image ${name}; the proxy only runs pinned versions`,
    );
  return `${full}:${requestedTag}`;
}

/** Host prefix of an image; empty for Docker Hub. */
function hostOf(base: string): string {
  const host = base.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  return /(?:^|\.)docker\.(?:io|com)$/.test(host) ? "" : host;
}

/** Options that give the container no access to the host. */
const PLAIN_OPTIONS = new Set(["-i", "--interactive", "--rm", "--init"]);
/** Options that mount a folder of the host; allowed only for a folder that the user names. */
const MOUNT_OPTIONS = new Set(["-v", "--volume", "--mount"]);
/** Options that refer to the inside of the container. */
const INNER_OPTIONS = new Set(["-w", "--workdir", "--platform"]);

/**
 * Renders the container options that an entry may use. All others (`--privileged`, `--network host`, a host folder
 * chosen by the entry, the engine's socket) would break the container's isolation.
 *
 * @throws Error with the rejected option
 */
export function imageArguments(args: readonly Argument[], lookUp: InputLookup): string[] {
  return args.flatMap((argument) => {
    const { flag } = argument;
    const refused = (what: string) =>
      new Error(`it passes "${what}" to the container engine, which the proxy does not accept from a registry`);
    if (flag === undefined) {
      const [word] = argumentWords(argument, lookUp);
      if (word === undefined || word === "run" || PLAIN_OPTIONS.has(word)) return [];
      throw refused(word);
    }
    if (PLAIN_OPTIONS.has(flag)) return flag === "--init" ? [flag] : [];
    if (flag === "-e" || flag === "--env") {
      const value = textOf(argument, lookUp) ?? "";
      if (!/^[A-Za-z_]\w*=/.test(value)) throw refused(`${flag} ${value}`);
      return ["-e", value];
    }
    if (INNER_OPTIONS.has(flag)) return argumentWords(argument, lookUp);
    if (MOUNT_OPTIONS.has(flag) && isGiven(argument)) return argumentWords(argument, lookUp);
    throw refused(flag);
  });
}

/** Whether the user chooses the host part of a mount: `{path}:/data`, `type=bind,src={path},…`. */
function isGiven({ value, default: preset, variables }: Argument): boolean {
  if (value === undefined) return preset === undefined;
  const [, source] = /^(?:type=bind,)?(?:(?:src|source)=)?\{([\w.-]+)\}(?=[:,]|$)/.exec(value) ?? [];
  const variable = variables.find(({ name }) => name === source);
  return variable !== undefined && variable.value === undefined && variable.default === undefined;
}
