/** The parts of a request that show whether a page in a browser sent it, and which page. */
export interface BrowserRequest {
  method: string;
  /** Host and port in the request. */
  host: string | undefined;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
}

/**
 * The panel's pages send this header with every request that changes something. For a page of another origin, the
 * browser would first send a CORS preflight, which fails.
 */
const PANEL_HEADER = "x-proxy-panel";

/**
 * True if a page of exactly this origin sent the request. SameSite alone does not ensure that: browsers also send the
 * cookie with requests of pages on other ports of this host, which may belong to any program on this machine.
 *
 * A browser states the origin of a request in `Sec-Fetch-Site`. To unencrypted addresses in a network it does not; then
 * Origin states it, or Referer for a GET. A request that changes something also needs the panel's header.
 */
export function isSameOrigin({ method, host, header }: BrowserRequest): boolean {
  const reads = method === "GET" || method === "HEAD";
  if (!reads && !header(PANEL_HEADER)) return false;
  const site = header("sec-fetch-site");
  // `none`: the person typed the address or opened a bookmark.
  if (site !== undefined) return site === "same-origin" || (reads && site === "none");
  return hostOf(header("origin") ?? header("referer")) === host?.toLowerCase() && host !== undefined;
}

/**
 * True if nothing shows that a page of another origin sent the request. It is used for cookies that programs other than
 * browsers use, too. A request that only reads needs no proof, because a page of another origin could not read the
 * response. A request that changes something needs one: a header by which the browser states this origin, or a header
 * that pages of other origins cannot send without a CORS preflight.
 *
 * @param publicUrl the URL under which people know this service, for reverse proxies that do not pass on the host
 */
export function isNotCrossOrigin({ method, host, header }: BrowserRequest, publicUrl?: string): boolean {
  const reads = method === "GET" || method === "HEAD";
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && !(reads && site === "none")) return false;
  const origin = header("origin");
  const own = origin !== undefined && [host?.toLowerCase(), hostOf(publicUrl)].includes(hostOf(origin) ?? "");
  if (origin !== undefined && !own) return false;
  return reads || own || site === "same-origin" || Boolean(header(PANEL_HEADER) || header("x-requested-with"));
}

function hostOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  return protocol === "http:" || protocol === "https:" ? host : undefined;
}
