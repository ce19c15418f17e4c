import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { UpstreamAuthorization } from "../../core/upstream/authorization.ts";
import type { Challenge } from "./challenge.ts";
import type { Credentials, Pending } from "./credentials.ts";
import { createKeptCredentials, type KeptCredentialsOptions } from "./kept-credentials.ts";
import { createRenewer, type RenewerOptions } from "./renewer.ts";
import { createShownCredentials } from "./shown-credentials.ts";
import { isSpent, standOf } from "./sign-in-state.ts";

export type HolderOptions = RenewerOptions &
  Pick<KeptCredentialsOptions, "read" | "write" | "isShared"> & {
    /** Gets and stores tokens without a person. @returns false if only a person can sign in */
    obtain?(holder: Holder): Promise<boolean>;
  };

/** The credentials of one owner at one server: storage, renewal and use, and the state of the sign-in. */
export interface Holder {
  /** Returns the stored credentials, which are read once. @throws if they cannot be decrypted */
  read(): Promise<Credentials | undefined>;
  /** Reads the stored credentials again, because another replica may have changed them. */
  reload(): Promise<void>;
  /** Marks stored credentials that cannot be decrypted; the next sign-in or sign-out replaces them. */
  discard(): void;
  /** Changes the credentials, serially; the change applies when it is durable. */
  change(edit: (now: Credentials) => Credentials | undefined): Promise<Credentials>;
  bearer(serverUrl: string): UpstreamAuthorization;
  /** The server's last challenge. */
  challenge(): Challenge | undefined;
  status(): UpstreamSignIn;
  /** Whether the token has expired and cannot be renewed. */
  isSpent(): boolean;
  failed(failure: NonNullable<UpstreamSignIn["failure"]> | undefined): void;
  /** Sets the sign-in whose response is being exchanged; until then its status remains "in progress". */
  finishing(pending: Pending | undefined): void;
  /** Increases each time the credentials are deleted, so that work that began before stores nothing. */
  readonly epoch: number;
  forgotten(): void;
  stop(): void;
}

export function createHolder(options: HolderOptions): Holder {
  const { clock, changed } = options;
  const credentials = createKeptCredentials({ ...options, moved: () => renewer.schedule() });
  const renewer = createRenewer(options, credentials);
  const shows = createShownCredentials(clock, credentials, renewer, () => obtain());
  let failure: UpstreamSignIn["failure"];
  let exchanged: Pending | undefined;
  let epoch = 0;
  let obtaining: Promise<boolean> | undefined;
  /** Joins the request in progress, or begins one. */
  const obtain = () => {
    obtaining ??= (options.obtain?.(holder) ?? Promise.resolve(false)).finally(() => {
      obtaining = undefined;
    });
    return obtaining;
  };

  const holder: Holder = {
    read: credentials.read,
    reload: credentials.reload,
    change: credentials.change,
    discard: credentials.discard,
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
    status: () => standOf({ record: credentials.now(), exchanged, failure, retry: renewer.retry() }, clock.now()),
    isSpent: () => isSpent(credentials.now(), clock.now()),
    stop: renewer.stop,
  };
  return holder;
}
