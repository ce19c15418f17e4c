import { stringify } from "yaml";
import type { Endpoint } from "../endpoint.ts";
import { described, head, type Site } from "./openapi.ts";

const cache = new WeakMap<readonly Endpoint[], string>();

/** The OpenAPI document as YAML; its long part is written once. */
export function openapiYaml(endpoints: readonly Endpoint[], site: Site): string {
  let text = cache.get(endpoints);
  if (text === undefined) {
    text = write(described(endpoints));
    cache.set(endpoints, text);
  }
  return write(head(site)) + text;
}

const write = (part: object) => stringify(part, { aliasDuplicateObjects: false, lineWidth: 0 });
