import { join } from "node:path";
import { build } from "esbuild";

/** The program that runs one role in a process of its own; tests run from the root of the repository. */
export const CLUSTER_MEMBER = "test/programs/cluster-member.mjs";

/**
 * Bundles the cluster module in one CommonJS file, as in the program, for `CLUSTER_MEMBER`.
 *
 * @returns the path of the file
 */
export async function bundleCluster(folder: string): Promise<string> {
  const outfile = join(folder, "cluster.cjs");
  const files = [
    "apply-steps",
    "database",
    "database-target",
    "follow-revisions",
    "lease",
    "record-queue",
    "revision",
    "shared-table",
    "view",
  ];
  await build({
    stdin: {
      contents: files.map((file) => `export * from "./lib/modules/cluster/${file}.ts";`).join("\n"),
      resolveDir: process.cwd(),
    },
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "warning",
    external: ["pg-native"],
  });
  return outfile;
}
