import type * as v from "valibot";
import { Fault } from "../base/fault.ts";
import { nearestWords } from "../base/nearest.ts";

/** The credential in the address, for readers that can send no header (spec 000 §5 rule 1). */
const CREDENTIAL = "apikey";
/** Characters of a name that a message repeats. */
const MAX_NAME = 64;

/**
 * The members of a request's query, for the endpoint's schema to check.
 *
 * A schema made by `v.looseObject` is that of an address that others build: pages, and the answers of sign-in servers.
 * It takes parameters it does not know, and the last of several; the endpoint judges the address itself. Every other
 * endpoint refuses both, because a misspelt filter would answer everything.
 *
 * @param query as sent, without the question mark
 * @param common parameters that the schema does not name
 * @throws Fault invalid_request for an unknown parameter, one that is given twice, and a broken escape
 */
export function readQuery(
  schema: v.GenericSchema | undefined,
  query: string,
  common: readonly string[] = [],
): Record<string, string> {
  if (query === "") return {};
  const isLoose = schema?.type === "loose_object";
  if (!isLoose) refuseBrokenEscapes(query);
  const known = [...Object.keys((schema as { entries?: object } | undefined)?.entries ?? {}), ...common];
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const isKnown = known.includes(name) || name === CREDENTIAL;
    if (!isKnown && !isLoose) throw unknown(name, known);
    if (!isLoose && values.has(name))
      throw new Fault("invalid_request", { reason: `the query parameter "${name}" is given twice; send it once` });
    values.set(name, value);
  }
  if (!known.includes(CREDENTIAL)) values.delete(CREDENTIAL);
  return Object.fromEntries(values);
}

function unknown(name: string, known: readonly string[]): Fault {
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  const [meant] = nearestWords(name.slice(0, MAX_NAME), known, 1);
  const remedy =
    known.length === 0
      ? "this request has no query parameters"
      : meant === undefined
        ? `known parameters: ${known.join(", ")}`
        : `did you mean "${meant}"?`;
  return new Fault("invalid_request", { reason: `unknown query parameter "${shown}"; ${remedy}` });
}

/** Otherwise a broken name or value would silently become another one. */
function refuseBrokenEscapes(query: string): void {
  try {
    decodeURIComponent(query);
  } catch (cause) {
    throw new Fault("invalid_request", { reason: "the query is not valid percent-encoded UTF-8" }, { cause });
  }
}
