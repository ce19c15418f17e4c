import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { type TestApp, type TestOptions, testApp } from "./app.ts";

/** Opens several proxies of one cluster in this process; they are closed after the test. */
export async function openClusterApps(
  t: TestContext,
  databaseUrl: string,
  { count = 2, cluster, ...options }: TestOptions & { count?: number; cluster?: object } = {},
): Promise<TestApp[]> {
  const encryption_keys = [randomBytes(32).toString("base64")];
  const replicas: TestApp[] = [];
  for (let index = 0; index < count; index++) {
    const app = await testApp({
      connect: false,
      ...options,
      config: { ...options.config, cluster: { database_url: databaseUrl, encryption_keys, ...cluster } },
    });
    t.after(() => app.close());
    replicas.push(app);
  }
  return replicas;
}
