import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { UpstreamAuthorization } from "../../core/upstream/authorization.ts";
import type { Challenge } from "./challenge.ts";
import type { Credentials, Pending } from "./credentials.ts";
import { createKeptCredentials, type KeptCredentialsOptions } from "./kept-credentials.ts";
import { createRenewer, type RenewerOptions } from "./renewer.ts";
import { createShownCredentials } from "./shown-credentials.ts";
import { isSpent, standOf } from "./sign-in-state.ts";

export type HolderOptions = RenewerOptions & Pick<KeptCredentialsOptions, "read" | "write">;

/** The credentials of one owner at one server: kept, renewed, shown, and how the sign-in stands. */
export interface Holder {
  /** As kept; read once. @throws what is kept cannot be opened */
  read(): Promise<Credentials | undefined>;
  /** What is kept cannot be opened, and whoever signs in or out now replaces it. */
  discard(): void;
  /** Changes them, one change after the other; in force when it is durable. */
  change(edit: (now: Credentials) => Credentials | undefined): Promise<Credentials>;
  bearer(serverUrl: string): UpstreamAuthorization;
  /** The server's last challenge. */
  challenge(): Challenge | undefined;
  status(): UpstreamSignIn;
  /** The token has ended and cannot be renewed. */
  isSpent(): boolean;
  failed(failure: NonNullable<UpstreamSignIn["failure"]> | undefined): void;
  /** The browser came back, and what it brought is being exchanged: that is still the same sign-in. */
  finishing(pending: Pending | undefined): void;
  /** Counts the times that everything was forgotten, so that what was under way then is not kept. */
  readonly epoch: number;
  forgotten(): void;
  stop(): void;
}

export function createHolder(options: HolderOptions): Holder {
  const { clock, changed } = options;
  const kept = createKeptCredentials({ ...options, moved: () => renewer.schedule() });
  const renewer = createRenewer(options, kept);
  const shows = createShownCredentials(clock, kept, renewer);
  let failure: UpstreamSignIn["failure"];
  let exchanged: Pending | undefined;
  let epoch = 0;

  return {
    read: kept.read,
    change: kept.change,
    discard: kept.discard,
    bearer: shows.bearer,
    challenge: shows.challenge,
    get epoch() {
      return epoch;
    },
    forgotten() {
      epoch++;
      failure = undefined;
      renewer.forgotten();
    },
    finishing(pending) {
      exchanged = pending;
    },
    failed(next) {
      failure = next;
      changed();
    },
    status: () => standOf({ record: kept.now(), exchanged, failure, retry: renewer.retry() }, clock.now()),
    isSpent: () => isSpent(kept.now(), clock.now()),
    stop: renewer.stop,
  };
}
