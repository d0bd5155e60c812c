import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { followChain } from "./batches/follow-batches.ts";
import { followJob } from "./batches/follow-soon.ts";
import { sendVersion } from "./batches/send-version.ts";
import { scanCoins } from "./bitcoin/scan-coins.ts";
import { expireUnconfirmed } from "./expire-unconfirmed.ts";
import { nodesOf, requireBitcoinNode } from "./node.ts";

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
    const node = requireBitcoinNode(nodesOf(config, stopping));
    if (key) await scanCoins(db, { node, key, scanId, stopping }, now);
  },
};

const send: Job<Context, { versionId: string }> = {
  name: "withdrawals/send",
  run: ({ db, config, now }, { versionId }, stopping) =>
    sendVersion(db, { nodes: nodesOf(config, stopping), versionId }, now()),
};

const follow = (["bitcoin", "ethereum"] as const).map(
  (chain): Job<Context, unknown> => ({
    name: followJob(chain),
    queue: followJob(chain),
    schedule: "* * * * *",
    atStart: true,
    async run({ db, config, now }, _, stopping) {
      const { network, withdrawals } = config;
      const nodes = nodesOf(config, stopping);
      const finality = withdrawals.ethereumFinality;
      await followChain(db, { chain, nodes, network, finality }, now);
    },
  }),
);

export const withdrawalJobs = [expire, scan, send, ...follow];
