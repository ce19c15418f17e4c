import type { Endpoint } from "./endpoint.ts";

/**
 * Returns a function that lists the methods that a path supports, for responses with status 405; empty for an unknown
 * path. It exists because Hono can only tell whether a method and a path match together.
 */
export function allowedMethods(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const routes = endpoints.map(({ method, path }) => ({ method, fits: pattern(path) }));
  return (path) => {
    const methods = new Set(routes.filter(({ fits }) => fits.test(path)).map(({ method }) => method as string));
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods].sort();
  };
}

function pattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
