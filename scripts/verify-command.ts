import { BitcoinNode } from "../server/chain/bitcoin/bitcoin-node.ts";
import { verifyAddresses } from "../server/chain/wallets/verify-addresses.ts";
import { verifyApprovedDocuments } from "../server/console/audit/verify-approved-documents.ts";
import { verifyAuditLog } from "../server/identity/audit/verify-audit-log.ts";
import { verifyMining } from "../server/mining/verify-mining.ts";
import { type Config, ConfigError } from "../server/platform/config.ts";
import type { Db } from "../server/platform/database.ts";
import { openFileStore } from "../server/platform/files/open-file-store.ts";
import { openLog } from "../server/platform/log/log.ts";
import { verifyBooks, verifyBooksSince } from "../server/verify-books.ts";
import { verifyFiles } from "../server/verify-files.ts";
import { verifyMarks } from "../server/withdrawals/bitcoin/verify-marks.ts";
import type { Printed } from "./printed.ts";
import { oneLine } from "./run-until-stopped.ts";
import { type Order, readOrder, usage } from "./verify-arguments.ts";
import { readConfigOfExisting, withDatabase } from "./with-database.ts";

export interface Check {
  claim: string;
  holds: boolean;
  detail: string;
}

/** What can be verified, and how. */
export const subjects: Record<
  Order["subject"],
  (db: Db, order: Order, context: { config: Config; printed: Printed }) => Promise<Check[]>
> = {
  addresses: (db, { former }, { config, printed }) =>
    verifyAddresses(db, {
      keys: Object.values(config.wallets),
      former,
      progress: (derived) => {
        if (derived % 100_000 === 0) printed.error(`${derived} addresses derived`);
      },
    }),
  ledger: (db, { kept }) => verifyBooks(db, kept),
  "ledger --since": (db, { kept }) => (kept ? verifyBooksSince(db, kept) : verifyBooks(db)),
  mining: (db) => verifyMining(db),
  files: (db, _, { config }) => verifyFiles(db, openFileStore(config, openLog("silent"))),
  marks: async (db, _, { config }) => {
    const { bitcoinChain } = config;
    if (!bitcoinChain)
      throw new ConfigError("BITCOIN_RPC_URL names no node to read the marks from");
    return verifyMarks(db, new BitcoinNode(bitcoinChain.url));
  },
  audit: async (db, { kept }) => [
    ...(await verifyAuditLog(db, kept && { link: kept.number, hash: kept.hash })),
    ...(await verifyApprovedDocuments(db)),
  ],
};

/** `npm run verify`. Returns the exit code: 1 where anything is wrong. */
export async function verifyCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  printed: Printed,
): Promise<number> {
  const order = readOrder(args);
  if (!order) {
    printed.error(usage);
    return 1;
  }
  try {
    const config = readConfigOfExisting(env);
    const verify = subjects[order.subject];
    const checks = await withDatabase(config, (db) => verify(db, order, { config, printed }));
    for (const { claim, holds, detail } of checks) {
      printed.log(`${holds ? "ok   " : "WRONG"}  ${claim}: ${detail}`);
    }
    return checks.every(({ holds }) => holds) ? 0 : 1;
  } catch (error) {
    printed.error(oneLine(error));
    return 1;
  }
}
