// @ts-check
/**
 * One process of a cluster, for tests: `cluster-member.mjs BUNDLE ROLE OPTIONS`. It prints one line of JSON for each
 * thing that the test wants to know.
 */
import { createRequire } from "node:module";

const [bundle = "", role = "", text = "{}"] = process.argv.slice(2);
const cluster = createRequire(import.meta.url)(bundle);
const options = JSON.parse(text);
const say = (/** @type {unknown} */ line) => console.log(JSON.stringify(line));
const open = (more = {}) => cluster.openDatabase(cluster.databaseTarget(options.url), { name: options.id, ...more });

/** @type {Record<string, () => Promise<void>>} */
const roles = {
  async steps() {
    const database = open();
    say(await cluster.applySteps(database, options.steps, { id: options.id }));
    database.close();
  },
};

await roles[role]?.();
