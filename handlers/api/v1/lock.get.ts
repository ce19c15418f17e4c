import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { joinPieces } from "#lib/core/base/join-pieces.ts";
import { currentLock } from "#lib/modules/lock/current.ts";
import { LockDocument, lockPieces } from "#lib/modules/lock/document.ts";

/** The current state of all servers, as the lock file that `proxy lock` writes. */
export default endpoint("GET /api/v1/lock", {
  summary: "Create a lock file of all servers",
  access: "admin",
  data: v.object({ lock: LockDocument, text: v.pipe(v.string(), v.description("text of the lock file")) }),
  async run({ app, signal }) {
    const lock = await currentLock(app, signal);
    return { lock, text: await joinPieces(lockPieces(lock)) };
  },
});
