import { isOfNode } from "../chain/answer-of.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import { followChain } from "./batches/follow-batches.ts";
import { followJob, paymentQueues } from "./batches/follow-soon.ts";
import { sendVersion } from "./batches/send-version.ts";
import { scanCoins } from "./bitcoin/scan-coins.ts";
import { expireUnconfirmed } from "./expire-unconfirmed.ts";
import { nodesOf } from "./node.ts";

interface Context {
  db: Db;
  config: Config;
  log: Log;
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
    const node = nodesOf(config, stopping).bitcoin;
    await scanCoins(db, { node, key: config.wallets.bitcoin, scanId, stopping }, now);
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
    queue: paymentQueues[chain],
    schedule: "* * * * *",
    atStart: true,
    async run({ db, config, log, now }, _, stopping) {
      const { network, withdrawals } = config;
      const nodes = nodesOf(config, stopping);
      const finality = withdrawals.ethereumFinality;
      const failures = await followChain(db, { chain, nodes, network, finality }, now);
      for (const each of failures) {
        // The next minute's run asks the node again.
        if (!isOfNode(each)) throw each;
        log.info({ detail: each.message }, "a batch could not be followed");
      }
    },
  }),
);

export const withdrawalJobs = [expire, scan, send, ...follow];
