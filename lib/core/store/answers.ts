import type { IdempotentAnswer } from "../schema/idempotent-answer.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import type { AnswerStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

export function createAnswerStore(connection: DatabaseConnection, queue: WriteQueue): AnswerStore {
  return {
    async get(id) {
      queue.flush();
      const row = connection.read(() => connection.prepare("select * from kept_answers where id = ?").get(id));
      return (
        row && {
          id: String(row.id),
          requestHash: String(row.request_hash),
          keyId: String(row.key_id),
          sealed: String(row.sealed),
          at: Number(row.at),
        }
      );
    },
    async put({ id, requestHash, keyId, sealed, at }: IdempotentAnswer, { before, max }) {
      await queue.put("now", () => {
        connection.prepare("delete from kept_answers where at < ?").run(before);
        connection.prepare(PUT).run(id, requestHash, keyId, sealed, at);
        connection.prepare(OLDEST).run(max);
      });
    },
  };
}

const PUT = "insert or replace into kept_answers (id, request_hash, key_id, sealed, at) values (?, ?, ?, ?, ?)";
const OLDEST = `delete from kept_answers where id in
  (select id from kept_answers order by at desc limit -1 offset ?)`;
