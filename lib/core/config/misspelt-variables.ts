import { nearestWords } from "../base/nearest.ts";
import { ENV_PREFIX, envVariables } from "./env-overrides.ts";

/** The variables that override no key of the configuration. Their values are read where they are used. */
export const OTHER_VARIABLES: readonly string[] = [
  "SERVICE_ALLOW_PRERELEASE_UPDATES",
  "SERVICE_CA_CERT",
  "SERVICE_CLIENT_CERT",
  "SERVICE_CLIENT_KEY",
  "SERVICE_CRED_KEY",
  "SERVICE_DISABLE_AUTO_UPDATE",
  "SERVICE_DISABLE_OAUTH",
  "SERVICE_LAUNCHED_BY",
  "SERVICE_URL",
  "SERVICE_WORKERS",
];

/** The key of a registry. */
const REGISTRY_KEY = /^SERVICE_REGISTRY_.+_API_KEY$/;

/**
 * Returns a message for each variable that has the prefix of the proxy's variables and resembles one of them. Others may
 * belong to other programs: Kubernetes sets `SERVICE_PORT` for a service of the name `service`.
 */
export function misspeltVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...envVariables().map(({ name }) => name), ...OTHER_VARIABLES]);
  const ends = [...known].map((name) => name.slice(ENV_PREFIX.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(ENV_PREFIX) && !known.has(name) && !REGISTRY_KEY.test(name))
    .sort()
    .flatMap((name) => {
      const [near] = nearestWords(name.slice(ENV_PREFIX.length), ends, 1);
      return near === undefined
        ? []
        : [`environment variable ${name} is unknown and has no effect; did you mean ${ENV_PREFIX}${near}?`];
    });
}
