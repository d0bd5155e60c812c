import { BitcoinNode } from "../chain/bitcoin-node.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs.ts";
import { expireUnconfirmed } from "./expire-unconfirmed.ts";
import { followBatches, hasOpenBatches } from "./follow-batches.ts";
import { requireNode } from "./node.ts";
import { scanCoins } from "./scan-coins.ts";
import { sendVersion } from "./send-version.ts";

interface Context {
  db: Db;
  config: Config;
  now(): Date;
}

const expire: Job<Context, unknown> = {
  name: "withdrawals/expire-unconfirmed",
  schedule: "*/10 * * * *",
  run: ({ db, now }) => expireUnconfirmed(db, now()),
};

const scan: Job<Context, { scanId: string }> = {
  name: "withdrawals/scan-coins",
  async run({ db, config, now }, { scanId }, stopping) {
    const key = config.wallets.bitcoin;
    if (key) await scanCoins(db, { node: requireNode(config, stopping), key, scanId }, now);
  },
};

const send: Job<Context, { versionId: string }> = {
  name: "withdrawals/send",
  run: ({ db, config, now }, { versionId }, stopping) =>
    sendVersion(db, { node: requireNode(config, stopping), versionId }, now()),
};

const follow: Job<Context, unknown> = {
  name: "withdrawals/follow-batches",
  schedule: "* * * * *",
  atStart: true,
  async run({ db, config, now }, _, stopping) {
    if (config.bitcoinChain?.kind !== "node" || !(await hasOpenBatches(db))) return;
    await followBatches(db, new BitcoinNode(config.bitcoinChain.url, stopping), now);
  },
};

export const withdrawalJobs = [expire, scan, send, follow];
