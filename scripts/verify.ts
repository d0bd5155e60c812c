import { verifyAddresses } from "../server/chain/wallets/verify-addresses.ts";
import { verifyApprovedDocuments } from "../server/console/audit/verify-approved-documents.ts";
import { verifyAuditLog } from "../server/identity/audit/verify-audit-log.ts";
import { verifyMining } from "../server/mining/verify-mining.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import type { Config } from "../server/platform/config.ts";
import type { Db } from "../server/platform/database.ts";
import { verifyBooks, verifyBooksSince } from "../server/verify-books.ts";
import { loadEnv } from "./load-env.ts";
import { oneLine } from "./run-until-stopped.ts";
import { type Kept, readOrder, usage } from "./verify-arguments.ts";
import { withDatabase } from "./with-database.ts";

interface Check {
  claim: string;
  holds: boolean;
  detail: string;
}

const order = readOrder(process.argv.slice(2));
if (!order) {
  console.error(usage);
  process.exit(1);
}
const { subject, kept, former } = order;

/** What can be verified, and how. */
const subjects: Record<
  typeof subject,
  (db: Db, kept: Kept | undefined, config: Config) => Promise<Check[]>
> = {
  addresses: (db, _, config) =>
    verifyAddresses(db, {
      keys: Object.values(config.wallets),
      former,
      progress: (derived) => {
        if (derived % 100_000 === 0) console.error(`${derived} addresses derived`);
      },
    }),
  journal: verifyBooks,
  "journal --since": (db, kept) => (kept ? verifyBooksSince(db, kept) : verifyBooks(db)),
  mining: verifyMining,
  audit: async (db, kept) => [
    ...(await verifyAuditLog(db, kept && { link: kept.number, hash: kept.hash })),
    ...(await verifyApprovedDocuments(db)),
  ],
};

try {
  const config = readConfig(loadEnv());
  const checks = await withDatabase(config, (db) => subjects[subject](db, kept, config));
  for (const { claim, holds, detail } of checks) {
    console.log(`${holds ? "ok   " : "WRONG"}  ${claim}: ${detail}`);
  }
  if (!checks.every(({ holds }) => holds)) process.exitCode = 1;
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}
