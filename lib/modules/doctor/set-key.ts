import type { App } from "../../core/app.ts";
import { ENV_VARIABLES } from "../../core/config/env.ts";
import type { Remedy } from "./finding.ts";

/** The remedy that gives one top-level key of the configuration another value; where the environment has the last word, there. */
export function setKey({ config }: App, key: string, value: unknown, action: string): Remedy {
  if (Object.hasOwn(config.overrides(), key)) {
    const variable = ENV_VARIABLES.find(({ path }) => path.length === 1 && path[0] === key)?.name;
    return { action: `${action}: change ${variable ?? key} in the environment or on the command line of the proxy` };
  }
  const text = JSON.stringify(value);
  return {
    action,
    command: `proxy config set ${key} ${/^[\w.]+$/.test(text) ? text : `'${text}'`}`,
    route: "PATCH /api/v1/config",
    body: { [key]: value },
  };
}
