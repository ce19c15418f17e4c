import { part } from "../app.ts";
import { noCredentials, type UpstreamCredentials } from "../upstream/credentials.ts";

/** Sign-in at upstream servers; none unless a module provides it. */
export const upstreamCredentials = part<UpstreamCredentials>("upstreamCredentials", () => noCredentials);
