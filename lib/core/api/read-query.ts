import type * as v from "valibot";
import { Fault } from "../base/fault.ts";
import { nearestWords } from "../base/nearest.ts";

/** The credential in the URL, for clients that cannot send a header (spec 000 §5 rule 1). */
const CREDENTIAL = "apikey";
/** Maximum length of a parameter name in a message. */
const MAX_NAME = 64;

/**
 * Reads the query parameters of a request; the endpoint's schema checks them afterwards.
 *
 * A schema made with `v.looseObject` is for a URL that other programs build: a page, or the redirect of a sign-in
 * server. There, unknown parameters are accepted, and of a repeated one the last counts; the endpoint checks the rest.
 * All other endpoints reject both, because with a misspelt filter they would return everything.
 *
 * @param query as sent, without the question mark
 * @param common parameters that the schema does not contain
 * @throws Fault invalid_request for an unknown or repeated parameter, and for an invalid percent-encoding
 */
export function readQuery(
  schema: v.GenericSchema | undefined,
  query: string,
  common: readonly string[] = [],
): Record<string, string> {
  if (query === "") return {};
  const isLoose = schema?.type === "loose_object";
  if (!isLoose) refuseBrokenEscapes(query);
  const knownNames = [...Object.keys((schema as { entries?: object } | undefined)?.entries ?? {}), ...common];
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const isKnown = knownNames.includes(name) || name === CREDENTIAL;
    if (!isKnown && !isLoose) throw unknown(name, knownNames);
    if (!isLoose && values.has(name))
      throw new Fault("invalid_request", { reason: `the query parameter "${name}" is given twice; send it once` });
    values.set(name, value);
  }
  if (!knownNames.includes(CREDENTIAL)) values.delete(CREDENTIAL);
  return Object.fromEntries(values);
}

function unknown(name: string, knownNames: readonly string[]): Fault {
  const shortName = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  const [meant] = nearestWords(name.slice(0, MAX_NAME), knownNames, 1);
  const remedy =
    knownNames.length === 0
      ? "this request has no query parameters"
      : meant === undefined
        ? `known parameters: ${knownNames.join(", ")}`
        : `did you mean "${meant}"?`;
  return new Fault("invalid_request", { reason: `unknown query parameter "${shortName}"; ${remedy}` });
}

/** Rejects invalid percent-encodings, which would silently become another name or value. */
function refuseBrokenEscapes(query: string): void {
  try {
    decodeURIComponent(query);
  } catch (cause) {
    throw new Fault("invalid_request", { reason: "the query is not valid percent-encoded UTF-8" }, { cause });
  }
}
