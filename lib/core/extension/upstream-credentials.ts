import { part } from "../app.ts";
import { noCredentials, type UpstreamCredentials } from "../upstream/credentials.ts";

/** Sign-in at upstream servers. Without a module that provides it, no server can be signed in to. */
export const upstreamCredentials = part<UpstreamCredentials>("upstreamCredentials", () => noCredentials);
