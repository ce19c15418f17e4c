import assert from "node:assert/strict";
import { type SinkFacts, sinkOf } from "#lib/modules/audit/sink.ts";
import { verifies } from "#test/kit/verifies.ts";

const D = "/data";
const FILE = "/data/audit/audit.log";
const ROWS: [asked: SinkFacts["asked"] | undefined, server: boolean, free: boolean, to: string, notice?: RegExp][] = [
  [undefined, false, true, "none"],
  [undefined, false, false, "none"],
  [undefined, true, true, "stdout"],
  [undefined, true, false, "none", /no audit log/],
  [{ enabled: false, stdout: true, path: "/x" } as never, true, true, "none"],
  [{ stdout: true } as never, false, true, "stdout"],
  [{ stdout: true } as never, false, false, FILE, /not available/],
  [{ enabled: true } as never, false, true, FILE],
  [{ enabled: true } as never, true, true, "stdout"],
  [{ enabled: true } as never, true, false, FILE, /not available/],
  [{ path: "/x" } as never, false, false, "/x"],
  [{ path: "/x", stdout: true } as never, true, true, "/x", /path takes precedence/],
  [{} as never, false, true, "none"],
];

verifies(
  ["audit.stdout", "audit.path", "audit.edition", "audit.stdio"],
  "a path wins over standard output, which is used only where it is free and is the server edition's default",
  () => {
    for (const [asked, server, stdoutFree, to, notice] of ROWS) {
      const sink = sinkOf({ asked, server, stdoutFree, dataDir: D });
      const row = JSON.stringify([asked, server, stdoutFree]);
      assert.equal(sink.to === "file" ? sink.path : sink.to, to, row);
      if (notice) assert.match(sink.notice ?? "", notice, row);
      else assert.equal(sink.notice, undefined, row);
    }
  },
);
