import type { WriteQueue } from "./write-queue.ts";

/**
 * The queue for a table that only its own writes change: a read of it runs what is queued only while a write of its own
 * is. Otherwise each read would run the backlog of all tables in one piece, as when a thousand servers connect.
 */
export function tableQueue(queue: WriteQueue): Pick<WriteQueue, "put" | "flush" | "onRefused"> {
  let waiting = 0;
  const ended = () => {
    waiting--;
  };
  return {
    put(...write) {
      waiting++;
      const durable = queue.put(...write);
      durable.then(ended, ended);
      return durable;
    },
    flush() {
      if (waiting > 0) queue.flush();
    },
    onRefused: queue.onRefused,
  };
}
