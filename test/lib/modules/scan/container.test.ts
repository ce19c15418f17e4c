import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { noEngine, testEngine } from "#test/kit/engine.ts";
import { call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

/** Tells as findings what it was given and what it can do. */
const SCANNER = `
const fs = require("fs"), net = require("net");
const input = JSON.parse(fs.readFileSync(0, "utf8"));
const tried = (what, fn) => { try { fn(); return what + " worked"; } catch (error) { return what + " " + error.code; } };
const say = (network) => {
  const said = [
    "tools " + input.tools.map((t) => t.name).join(),
    "files " + fs.readdirSync("/src").join(),
    tried("root", () => fs.writeFileSync("/x", "")),
    tried("source", () => fs.writeFileSync("/src/x", "")),
    tried("temporary", () => fs.writeFileSync("/tmp/x", "")),
    "network " + network,
  ];
  const results = said.map((text) => ({ ruleId: "told", level: "note", message: { text } }));
  console.log(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "t" } }, results }] }));
};
const socket = net.connect(80, "169.254.169.254");
socket.on("connect", () => say("worked"));
socket.on("error", (error) => say(error.code));
`;

test("a scanner in a real container reads tools and files, and reaches neither network nor disk", {
  skip: noEngine,
}, async () => {
  const engine = await testEngine();
  const work = mkdtempSync(join(tmpdir(), "work-"));
  mkdirSync(join(work, "node_modules", "git-mcp"), { recursive: true });
  writeFileSync(join(work, "node_modules", "git-mcp", "package.json"), '{"name":"git-mcp","version":"1.0.0"}');
  const scanner = { id: "mine", image: engine.image, args: ["node", "-e", SCANNER] };
  const servers = [{ name: "git", command: "npx", args: ["git-mcp@1.0.0"], working_dir: work }];
  const params = { name: "git" };
  try {
    await withApp(
      { connect: false, servers, config: { security: { scanners: [scanner] } }, env: { DOCKER_HOST: engine.host } },
      async (app) => {
        await app.catalog.acceptListing("git", [{ name: "log", description: "Shows the log." }]);
        await call(app, "POST /api/v1/servers/{name}/scan", { params, body: { scanner_ids: ["mine"] } });
        let job = await call(app, "GET /api/v1/servers/{name}/scan/status", { params });
        await until("the scan is over", async () => {
          job = await call(app, "GET /api/v1/servers/{name}/scan/status", { params });
          return job.status !== "pending" && job.status !== "running";
        });
        assert.equal(job.status, "completed", JSON.stringify(job.scanner_statuses));

        const { findings } = await call(app, "GET /api/v1/servers/{name}/scan/report", { params, query: {} });

        const said = findings.map(({ title }) => title);
        for (const words of ["tools log", "files package.json", "root EROFS", "source EROFS", "temporary worked"])
          assert.ok(said.includes(words), `${words}: ${said.join("; ")}`);
        assert.match(said.find((words) => words.startsWith("network"))!, /ENETUNREACH|EHOSTUNREACH/);
        assert.equal(engine.podman("ps", "-aq").trim(), "", "it is removed");
      },
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
    await engine.close();
  }
});
