import { type App, part } from "../app.ts";
import { createAttemptLimit } from "../base/attempt-limit.ts";
import { CLOCK_SKEW_MS } from "../base/clock.ts";
import { type BroadcastKind, replicaSharing } from "../extension/replica-sharing.ts";
import type { RpcId } from "../schema/mcp.ts";
import type { QuestionAnswer } from "../upstream/protocol/upstream-question.ts";
import type { ClientQuestions } from "./client-questions.ts";
import { sealedStates } from "./sealed-states.ts";

/** A message of a client that came to another replica than the request that it is about. */
type RelayedMessage =
  | { readonly record: string; readonly answers: RpcId; readonly said: QuestionAnswer }
  | { readonly record: string; readonly cancels: RpcId };

/** The parts of a session that are needed. */
interface RelayedSession {
  readonly record: { readonly id: string };
  readonly questions: Pick<ClientQuestions, "answer">;
  readonly running: { get(id: RpcId): AbortController | undefined };
}

/** Passes messages of clients with a session on to the replica that waits for them. */
export interface SessionRelay {
  /** Sends an answer to a question that this replica has not asked. Never throws, never waits. */
  answer(session: RelayedSession, id: RpcId, said: QuestionAnswer): void;
  /** Sends the cancellation of a request that does not run here. Never throws, never waits. */
  cancel(session: RelayedSession, id: RpcId): void;
  /** Carries out a message of another replica. @param sessions the sessions that are live here */
  receive(body: string, sessions: Iterable<RelayedSession>): Promise<void>;
}

export const RELAYED: BroadcastKind = "session_message";

const PLACE = "message of an MCP session";
const LIFETIME_MS = 60_000 + CLOCK_SKEW_MS;
/** A longer message is dropped, as one that nobody waits for. (characters) */
const MAX_TEXT = 256 * 1024;
/** Limits for each session and in total, because every replica reads these messages. */
const LIMITS = { perKey: 20, total: 200, windowMs: 1000 };

/** Undefined if this proxy is alone. */
export const sessionRelay = part<SessionRelay | undefined>("sessionRelay", (app: App) => {
  const sharing = app.part(replicaSharing);
  if (!sharing) return undefined;
  const limit = createAttemptLimit(app.clock, LIMITS);
  const send = async (message: RelayedMessage) => {
    const text = JSON.stringify(message);
    if (text.length > MAX_TEXT || limit.take(message.record) > 0) return;
    // Answers may be confidential, and the database is no place for them in clear text.
    sharing.broadcast(RELAYED, await app.part(sealedStates).seal(PLACE, text, LIFETIME_MS));
  };
  const relay = (message: RelayedMessage) => app.log.catch("passing a message on to another replica", send(message));
  return {
    answer: ({ record }, answers, said) => relay({ record: record.id, answers, said }),
    cancel: ({ record }, cancels) => relay({ record: record.id, cancels }),
    async receive(body, sessions) {
      const text = await app.part(sealedStates).open(PLACE, body);
      if (text === undefined) return;
      // The text was sealed by a replica, so it has this form.
      const message = JSON.parse(text) as RelayedMessage;
      for (const session of sessions)
        if (session.record.id === message.record) {
          if ("answers" in message) session.questions.answer(message.answers, message.said);
          else session.running.get(message.cancels)?.abort();
        }
    },
  };
});
