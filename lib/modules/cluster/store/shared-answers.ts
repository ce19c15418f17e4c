import type { IdempotentAnswer } from "../../../core/schema/idempotent-answer.ts";
import type { AnswerStore } from "../../../core/store/store.ts";
import type { SerialWork } from "../serial-work.ts";

export function createSharedAnswers(serial: SerialWork): AnswerStore {
  return {
    get: (id) => serial(async (sql) => (await sql<IdempotentAnswer>(GET, [id]))[0]),
    async put({ id, requestHash, keyId, sealed, at }, { before, max }) {
      await serial(async (sql) => {
        await sql("delete from answer where at < $1", [before]);
        await sql(PUT, [id, requestHash, keyId, sealed, at]);
        await sql("delete from answer where id in (select id from answer order by at desc, id desc offset $1)", [max]);
      });
    },
  };
}

const GET = `select id, request_hash as "requestHash", key_id as "keyId", sealed, at from answer where id = $1`;
const PUT = `insert into answer (id, request_hash, key_id, sealed, at) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set request_hash = excluded.request_hash, key_id = excluded.key_id,
    sealed = excluded.sealed, at = excluded.at`;
