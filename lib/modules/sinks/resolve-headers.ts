import type { App } from "../../core/app.ts";

/** Replaces the references in the values of headers. @throws Fault secret_missing */
export async function resolveHeaders(
  { secrets }: Pick<App, "secrets">,
  headers: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) resolved[name] = await secrets.resolve(value);
  return resolved;
}
