declare module "undici/lib/api/index.js" {
  const api: object;
  export default api;
}

declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici";
  export default Dispatcher;
}

declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export default Pool;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  import { ProxyAgent } from "undici";
  export default ProxyAgent;
}

declare module "undici/lib/core/util.js";
declare module "undici/lib/web/webidl/index.js";
declare module "undici/lib/web/fetch/util.js";
declare module "undici/lib/web/fetch/body.js";

declare module "undici/lib/web/fetch/formdata.js" {
  export const FormData: typeof globalThis.FormData;
}

declare module "undici/lib/web/fetch/headers.js" {
  export const Headers: typeof globalThis.Headers;
}

declare module "undici/lib/web/fetch/request.js" {
  export const Request: typeof globalThis.Request;
}

declare module "undici/lib/web/fetch/response.js" {
  export const Response: typeof globalThis.Response;
}
