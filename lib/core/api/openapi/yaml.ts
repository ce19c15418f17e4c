import { stringify } from "yaml";
import type { Endpoint } from "../endpoint.ts";
import { type OpenapiSite, openapiBody, openapiHead } from "./openapi.ts";

const cache = new WeakMap<readonly Endpoint[], string>();

/** Returns the OpenAPI document as YAML. The part that is the same for all readers is cached. */
export function openapiYaml(endpoints: readonly Endpoint[], site: OpenapiSite): string {
  let text = cache.get(endpoints);
  if (text === undefined) {
    text = write(openapiBody(endpoints));
    cache.set(endpoints, text);
  }
  return write(openapiHead(site)) + text;
}

const write = (part: object) => stringify(part, { aliasDuplicateObjects: false, lineWidth: 0 });
