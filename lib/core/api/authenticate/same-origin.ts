/** The parts of a request that show whether a browser sent it and from where. */
export interface BrowserRequest {
  method: string;
  /** Host and port under which the client reached us. */
  host: string | undefined;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** The panel's pages send it with every changing request; another origin's page would need a CORS preflight. */
const PANEL_HEADER = "x-proxy-panel";

/**
 * Whether a request comes from a page of this very origin. A cookie is sent from other ports of this host, too, and so
 * by any page on this machine: SameSite alone does not keep them out.
 *
 * A browser says where a request comes from in `Sec-Fetch-Site`; to plain addresses in a network it does not, and then
 * Origin says it, or Referer for a GET. Whatever changes something also needs our own header.
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
 * Whether nothing says that a request comes from another origin; for cookies that other programs than browsers use, too.
 * What reads may come without a mark: another origin's page could not see the answer. What changes something needs one:
 * a browser's word that it is from here, or a header that no other origin's page can send without asking.
 *
 * @param publicUrl under which people know this service, where a proxy in between does not pass it on
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
