import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { LockVerification } from "#lib/core/schema/lock-verification.ts";
import { verifyLock } from "#lib/modules/lock/verify.ts";

/** Compares all servers with a lock file. */
export default endpoint("POST /api/v1/lock/verify", {
  summary: "Compare the servers with a lock file",
  access: "admin",
  bodyLimit: 40 * 1024 * 1024,
  body: v.object({ text: v.pipe(v.string(), v.description("text of the lock file")) }),
  data: LockVerification,
  faults: ["lock_invalid"],
  run: ({ app, body }) => verifyLock(app, body.text),
});
