import { totalmem } from "node:os";

/** A limit on the bytes that all holders of one budget may hold at the same time. */
interface ByteBudget {
  readonly taken: number;
  /** Starts the account of one request, at zero. */
  hold(): ByteHold;
}

export interface ByteHold {
  /** Counts incoming bytes. Returns false, and counts nothing, if they exceed the budget. */
  add(bytes: number): boolean;
  /** Returns all of its bytes to the budget. Idempotent. */
  end(): void;
}

/** The `Retry-After` of a rejected request. (ms) */
export const BUSY_RETRY_MS = 1000;

/** A request below this size is never rejected, so large requests cannot keep small ones out. (bytes) */
const SMALL = 256 * 1024;

const MIB = 1 << 20;

/**
 * Returns the budget for request bodies in bytes: the configured one, or one derived from the memory of this machine.
 * The budget is small because a call holds up to ten times the bytes of its body.
 */
export function requestBytes(mb: number | undefined, memory = memoryBytes()): number {
  if (mb !== undefined) return mb * MIB;
  return Math.min(64 * MIB, Math.max(48 * MIB, Math.floor(memory / 64)));
}

/** The memory of this machine, or of the container that the process runs in. (bytes) */
function memoryBytes(): number {
  const allowed = process.constrainedMemory?.() ?? 0;
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/**
 * Makes a budget.
 *
 * @param most returns the limit in bytes and is called for every chunk; 0 means no limit
 */
export function createByteBudget(most: () => number): ByteBudget {
  const all = { taken: 0, most };
  return {
    get taken() {
      return all.taken;
    },
    hold: () => new Hold(all),
  };
}

/** A class, because each call has an account and closures take more memory. */
class Hold implements ByteHold {
  private readonly all: { taken: number; readonly most: () => number };
  private held = 0;

  constructor(all: Hold["all"]) {
    this.all = all;
  }

  add(bytes: number): boolean {
    if (!this.admits(bytes)) return false;
    this.held += bytes;
    this.all.taken += bytes;
    return true;
  }

  end(): void {
    this.all.taken -= this.held;
    this.held = 0;
  }

  private admits(bytes: number): boolean {
    if (this.held + bytes <= SMALL) return true;
    const limit = this.all.most();
    return limit === 0 || this.all.taken + bytes <= limit;
  }
}
