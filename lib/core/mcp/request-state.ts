import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import type { Clock } from "../base/clock.ts";
import type { McpObject } from "../schema/mcp.ts";

/** What a state belongs to: it is good for nothing else. */
export interface RequestStateBinding {
  /** Who was asked. */
  readonly owner: string;
  /** The endpoint's mode, the tool's name there, and its arguments. */
  readonly mode: string;
  readonly name: string;
  readonly args: McpObject;
}

/** An upstream's `requestState` on its way through a client, which is not trusted with it (2026-07-28, multi round-trip). */
interface RequestStates {
  seal(state: string, of: RequestStateBinding): string;
  /** @returns undefined for what was not sealed here, was for something else, or is too old */
  open(sealed: string, of: RequestStateBinding): string | undefined;
}

/** A person may take a while to answer. (ms) */
const GOOD_FOR_MS = 30 * 60_000;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Sealed with a key of this process, so that nothing outlives it. */
export function createRequestStates(clock: Pick<Clock, "now">): RequestStates {
  const key = randomBytes(32);
  return {
    seal(state, of) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bound(of));
      const text = JSON.stringify({ until: clock.now() + GOOD_FOR_MS, state });
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed, of) {
      const all = Buffer.from(sealed, "base64url");
      if (all.length < NONCE_BYTES + TAG_BYTES || all.toString("base64url") !== sealed) return undefined;
      try {
        const decipher = createDecipheriv(CIPHER, key, all.subarray(0, NONCE_BYTES)).setAAD(bound(of));
        decipher.setAuthTag(all.subarray(-TAG_BYTES));
        const text = decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
        // Written by `seal` alone: the tag fits.
        const { until, state } = JSON.parse(text) as { until: number; state: string };
        return clock.now() <= until ? state : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function bound({ owner, mode, name, args }: RequestStateBinding): Buffer {
  return Buffer.from(JSON.stringify(["proxy request state 1", owner, mode, name, hash("sha256", canonicalJson(args))]));
}
