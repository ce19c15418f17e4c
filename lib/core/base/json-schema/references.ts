import { isJsonObject, type JsonObject } from "../json-object.ts";

/** A schema with its own URI: the document, or a part of it with `$id`. References are resolved against its root. */
export interface SchemaResource {
  readonly root: unknown;
  readonly uri: string;
}

/** The target of a reference. */
interface ReferenceTarget {
  readonly schema: unknown;
  readonly resource: SchemaResource;
}

/** Maximum number of values of a document that are searched for `$id` and `$anchor`. */
const MAX_SEARCHED = 20_000;

/** Serves as the base URI of a document without one, so that relative references can be resolved. */
const NO_ADDRESS = "schema:///";

/** Resolves `$ref` within one document. Nothing is ever fetched. */
interface References {
  readonly document: SchemaResource;
  /**
   * Returns the resource that `schema` belongs to: the one it starts by its `$id`, otherwise `resource`, that of its
   * parent.
   */
  within(schema: unknown, resource: SchemaResource): SchemaResource;
  /** Finds the target of a reference. @returns undefined if the target does not exist or is outside the document */
  resolve(reference: string, resource: SchemaResource): ReferenceTarget | undefined;
}

interface SchemaDialect {
  /** `id` means what `$id` does. (draft 4) */
  readonly plainIds: boolean;
  /** All keywords beside `$ref` are ignored. (draft 7 and older) */
  readonly loneRef: boolean;
}

export function createReferences(root: unknown, { plainIds, loneRef }: SchemaDialect): References {
  const document: SchemaResource = { root, uri: uriOf(root, NO_ADDRESS) ?? NO_ADDRESS };
  let marked: { resources: Map<string, ReferenceTarget>; anchors: Map<string, ReferenceTarget> } | undefined;

  function idOf(schema: unknown): string | undefined {
    if (!isJsonObject(schema) || (loneRef && typeof schema.$ref === "string")) return undefined;
    const id = typeof schema.$id === "string" ? schema.$id : plainIds ? schema.id : undefined;
    return typeof id === "string" ? id : undefined;
  }

  function uriOf(schema: unknown, base: string): string | undefined {
    const id = idOf(schema);
    if (id === undefined || id.startsWith("#")) return undefined;
    const uri = join(id, base);
    return uri?.split("#")[0];
  }

  function within(schema: unknown, resource: SchemaResource): SchemaResource {
    if (schema === resource.root) return resource;
    const uri = uriOf(schema, resource.uri);
    return uri === undefined ? resource : { root: schema, uri };
  }

  function mark() {
    const resources = new Map<string, ReferenceTarget>([[document.uri, { schema: root, resource: document }]]);
    const anchors = new Map<string, ReferenceTarget>();
    const todo: { value: unknown; resource: SchemaResource }[] = [{ value: root, resource: document }];
    let searched = 0;
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { value, resource: outer } = next;
      if (typeof value !== "object" || value === null) continue;
      const resource = within(value, outer);
      if (isJsonObject(value)) {
        if (resource !== outer) resources.set(resource.uri, { schema: value, resource });
        for (const name of anchorsOf(value)) anchors.set(`${resource.uri}#${name}`, { schema: value, resource });
      }
      for (const key in value) {
        if (++searched > MAX_SEARCHED) return { resources, anchors };
        if (key !== "enum" && key !== "const") todo.push({ value: (value as JsonObject)[key], resource });
      }
    }
    return { resources, anchors };
  }

  function anchorsOf(schema: JsonObject): string[] {
    const names = [schema.$anchor, schema.$dynamicAnchor].filter((name) => typeof name === "string");
    const id = idOf(schema);
    return id?.startsWith("#") && id.length > 1 ? [...names, id.slice(1)] : names;
  }

  return {
    document,
    within,
    resolve(reference, resource) {
      if (reference === "#") return { schema: resource.root, resource };
      if (reference.startsWith("#/")) return pointed(reference.slice(1), resource.root, resource);
      const uri = join(reference, resource.uri);
      if (uri === undefined) return undefined;
      marked ??= mark();
      const [address = "", fragment = ""] = split(uri);
      const found = marked.resources.get(address);
      if (!found || fragment === "") return found;
      if (fragment.startsWith("/")) return pointed(fragment, found.schema, found.resource);
      return marked.anchors.get(`${address}#${fragment}`);
    },
  };

  /** Follows a JSON pointer that is percent-encoded as in a URI. (RFC 6901 §6) */
  function pointed(pointer: string, from: unknown, resource: SchemaResource): ReferenceTarget | undefined {
    let schema = from;
    let inside = resource;
    for (const part of pointer.slice(1).split("/")) {
      const key = unescaped(part);
      if (key === undefined || typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key))
        return undefined;
      schema = (schema as JsonObject)[key];
      inside = within(schema, inside);
    }
    return { schema, resource: inside };
  }
}

function join(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function split(uri: string): [string, string] {
  const at = uri.indexOf("#");
  return at < 0 ? [uri, ""] : [uri.slice(0, at), uri.slice(at + 1)];
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}
