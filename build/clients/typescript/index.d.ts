import type { Client, ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.js";

export type { components, operations, paths } from "./schema.js";

export interface ProxyClientOptions extends ClientOptions {
  /** The API key of the administrator, or an agent token. */
  apiKey?: string | undefined;
  /** Default: `http://127.0.0.1:8080`. */
  baseUrl?: string;
}

/** A typed client of the REST API; its methods are those of openapi-fetch. */
export declare function createProxyClient(options?: ProxyClientOptions): Client<paths>;
