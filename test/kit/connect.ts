import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestApp, type TestOptions, withApp } from "./app.ts";

/** Opens an App on a machine with an empty home folder, and returns a function that writes files there. */
export async function withHome<T>(
  options: TestOptions,
  fn: (app: TestApp, home: { path: string; put(name: string, text: string): string }) => Promise<T>,
): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), "proxy-home-"));
  const put = (name: string, text: string) => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  try {
    const config = { listen: "127.0.0.1:8080", ...options.config };
    const env = { HOME: path, ...options.env };
    return await withApp({ connect: false, ...options, config, env }, (app) => fn(app, { path, put }));
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** A configuration of Cursor with a server that has secrets. */
export const CURSOR = `{
  "mcpServers": {
    "other": { "command": "npx", "env": { "API_TOKEN": "s3cr3t-value-of-other", "PIN": "12" } } // mine
  }
}
`;
