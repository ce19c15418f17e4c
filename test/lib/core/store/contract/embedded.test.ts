import { openStore } from "#lib/core/store/open-store.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { temporaryFolder } from "#test/kit/store.ts";
import { storeContract } from "./store-contract.ts";

storeContract({
  name: "embedded",
  async open() {
    const { dir, remove } = temporaryFolder();
    const options = { dir, clock: handClock(), log: heardLog() };
    const store = await openStore(options);
    let last = store;
    return {
      store,
      async reopen() {
        await last.close();
        last = await openStore(options);
        return last;
      },
      async close() {
        await last.close();
        remove();
      },
    };
  },
});
