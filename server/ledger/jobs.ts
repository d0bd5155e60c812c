import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { snapshotHouseBalances } from "./snapshot-house-balances.ts";

interface Context {
  db: Db;
  now(): Date;
}

export const ledgerJobs: Job<Context, object>[] = [
  {
    name: "ledger/seal-transfers",
    schedule: "* * * * *",
    run: async ({ db, now }) => {
      await sealTransfers(db, now());
      await snapshotHouseBalances(db);
    },
  },
];
