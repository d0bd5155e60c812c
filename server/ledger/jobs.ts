import { utcDay } from "#core/utc-day.ts";
import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs/jobs.ts";
import { openLedgerMonths } from "./open-ledger-months.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { snapshotHouseBalances } from "./snapshot-house-balances.ts";

interface Context {
  db: Db;
  now(): Date;
}

export const ledgerJobs: Job<Context, object>[] = [
  {
    name: "ledger/open-months",
    schedule: "0 0 * * *",
    atStart: true,
    run: ({ db, now }) => openLedgerMonths(db, utcDay(now())),
  },
  {
    name: "ledger/seal-transfers",
    schedule: "* * * * *",
    run: async ({ db, now }) => {
      await sealTransfers(db, now());
      await snapshotHouseBalances(db);
    },
  },
];
