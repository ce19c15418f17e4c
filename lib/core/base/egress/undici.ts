import api from "undici/lib/api/index.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";

// As undici's index does, which also loads `fetch`, WebSocket, caches and mocks.
Object.assign(Dispatcher.prototype, api);

/** The parts of undici that the proxy uses. */
export const undici = { Pool, ProxyAgent };
