/**
 * Returns a URI as a parser of URLs writes it (WHATWG URL), since many servers, and those of the official SDKs, look up
 * this form: without dot segments and without white space at its ends, with the scheme in lower case.
 *
 * @returns the text itself if it is no URL
 */
export function parsedUri(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

/**
 * Returns the same text for all URIs that a server may take for the same resource. Beyond `parsedUri` it decodes
 * percent escapes, resolves the dot segments in them, unites slashes, and drops letter case and the fragment.
 *
 * `NOTE://a//b/%2e%2E/c/#part` → `note:/a/c`
 */
export function looseUri(uri: string): string {
  const [address = "", query = ""] = splitAt(parsedUri(uri).replace(/#.*$/s, ""), "?");
  const parts: string[] = [];
  for (const part of decoded(address).split(/[/\\]+/)) {
    if (part === "..") parts.length = Math.max(parts.length - 1, 1);
    else if (part !== "." && part !== "") parts.push(part);
  }
  return folded(parts.join("/") + (query === "" ? "" : `?${decoded(query)}`));
}

/** Returns the part of a loose URI before its query. */
export function withoutQuery(loose: string): string {
  return splitAt(loose, "?")[0]!;
}

function splitAt(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A server may decode what its own libraries have decoded already. */
const DECODED_TIMES = 3;

function decoded(text: string): string {
  let result = text;
  for (let i = 0; i < DECODED_TIMES && result.includes("%"); i++)
    result = result.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
      Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
    );
  return result;
}

const folded = (text: string) => text.normalize("NFKC").toLowerCase();
