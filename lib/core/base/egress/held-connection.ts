import type { Dispatcher } from "undici";

/** Holds one open connection between the requests that use it. */
export class HeldConnection {
  private held: { readonly key: string; readonly line: Dispatcher } | undefined;
  private isClosed = false;

  /** Returns the connection if it was opened for the same key; nobody else gets it until it is put back. */
  take(key: string): Dispatcher | undefined {
    const { held } = this;
    if (held?.key !== key) return undefined;
    this.held = undefined;
    return held.line;
  }

  /** Holds a connection that can be used again, and closes the one that was held before. */
  async put(key: string, line: Dispatcher): Promise<void> {
    const former = this.isClosed ? line : this.held?.line;
    if (!this.isClosed) this.held = { key, line };
    await former?.destroy();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.held?.line.destroy();
    this.held = undefined;
  }
}
