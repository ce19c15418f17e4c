import { after } from "node:test";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { openSharedStore } from "#lib/modules/cluster/store/open-shared-store.ts";
import { heardLog } from "#test/kit/log.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { temporaryFolder } from "#test/kit/store.ts";
import { storeContract } from "../../../core/store/contract/store-contract.ts";

const server = withoutPostgres ? undefined : await startPostgres(after);

storeContract({
  name: "postgresql",
  skip: withoutPostgres,
  shared: true,
  async open() {
    const target = databaseTarget(server!.database());
    const folders = [temporaryFolder(), temporaryFolder()];
    const openIn = (index: number) => openSharedStore({ target, dir: folders[index]!.dir, log: heardLog() });
    const store = await openIn(0);
    const stores = [store];
    return {
      store,
      async reopen() {
        await store.close();
        stores.push(await openIn(0));
        return stores.at(-1)!;
      },
      async beside() {
        stores.push(await openIn(1));
        return stores.at(-1)!;
      },
      async close() {
        await Promise.all(stores.map((one) => one.close()));
        for (const { remove } of folders) remove();
      },
    };
  },
});
