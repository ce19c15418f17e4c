import type { Endpoint } from "./endpoint.ts";

/**
 * The methods a path takes, for 405 answers; empty when there is no such path. Hono knows only whether a method and a
 * path fit together.
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
