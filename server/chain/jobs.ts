import { enqueue, type Job, nodeQueues } from "../platform/jobs/jobs.ts";
import { watchBitcoin } from "./bitcoin/watch-bitcoin.ts";
import { watchEthereum } from "./ethereum/watch-ethereum.ts";
import type { WatchContext } from "./watch-chain.ts";

/** The jobs are named as their queues. */
const { watchBitcoin: bitcoinJob, watchEthereum: ethereumJob } = nodeQueues;

/** Lays out the passes of the minute that begins; each place within it has one key, so those that nobody ran do not pile up. */
const schedulePasses: Job<WatchContext, object> = {
  name: "chain/schedule-passes",
  schedule: "* * * * *",
  atStart: true,
  async run({ db, config, now }) {
    const passes = [
      ...(config.bitcoinChain ? [{ job: bitcoinJob, every: config.bitcoinPollSeconds }] : []),
      ...(config.ethereumChain ? [{ job: ethereumJob, every: config.ethereumPollSeconds }] : []),
    ];
    const minute = Math.floor(now().getTime() / 60_000) * 60_000;
    await db.transaction(async (tx) => {
      for (const { job, every } of passes) {
        for (let second = 0; second < 60; second += every) {
          const runAt = new Date(minute + second * 1000);
          const once = { key: `${job}:${second}`, runAt, maxAttempts: 1, queue: job };
          await enqueue(tx, job, {}, once);
        }
      }
    });
  },
};

const passOverBitcoin: Job<WatchContext, object> = {
  name: bitcoinJob,
  run: (app, _, stopping) => watchBitcoin({ ...app, stopping }),
};

const passOverEthereum: Job<WatchContext, object> = {
  name: ethereumJob,
  run: (app, _, stopping) => watchEthereum({ ...app, stopping }),
};

export const chainJobs = [schedulePasses, passOverBitcoin, passOverEthereum];
