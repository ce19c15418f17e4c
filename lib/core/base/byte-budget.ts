import { totalmem } from "node:os";

/** Bytes that may be held at the same time by all who share a budget. */
interface ByteBudget {
  readonly taken: number;
  /** What one request holds; nothing at first. */
  hold(): ByteHold;
}

export interface ByteHold {
  /** Counts bytes that come in. Answers false, and counts nothing, where there is no room for them. */
  add(bytes: number): boolean;
  /** Gives everything back; once is enough. */
  end(): void;
}

/** What a refused sender is told to wait. (ms) */
export const BUSY_RETRY_MS = 1000;

/** Whoever holds less is never refused: large requests cannot keep small ones out. (bytes) */
const SMALL = 256 * 1024;

const MIB = 1 << 20;

/**
 * The budget for bodies of requests in bytes, as the configuration says it or as this machine's memory suggests: one
 * call holds up to ten times the bytes of its body.
 */
export function requestBytes(mb: number | undefined, memory = memoryBytes()): number {
  if (mb !== undefined) return mb * MIB;
  return Math.min(128 * MIB, Math.max(48 * MIB, Math.floor(memory / 64)));
}

/** Of this machine, or of the container around us. */
function memoryBytes(): number {
  const allowed = process.constrainedMemory?.() ?? 0;
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/** @param most asked each time; 0: no limit */
export function createByteBudget(most: () => number): ByteBudget {
  let taken = 0;
  return {
    get taken() {
      return taken;
    },
    hold() {
      let held = 0;
      const admits = (bytes: number) => {
        if (held + bytes <= SMALL) return true;
        const limit = most();
        return limit === 0 || taken + bytes <= limit;
      };
      return {
        add(bytes) {
          if (!admits(bytes)) return false;
          held += bytes;
          taken += bytes;
          return true;
        },
        end() {
          taken -= held;
          held = 0;
        },
      };
    },
  };
}
