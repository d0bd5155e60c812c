import { enqueue, type Job } from "../platform/jobs.ts";
import { type WatchContext, watchBitcoin } from "./watch-bitcoin.ts";

const watchJob = "chain/watch-bitcoin";

/** Lays out the passes of the minute that begins; each place within it has one key, so those that nobody ran do not pile up. */
const schedulePasses: Job<WatchContext, object> = {
  name: "chain/schedule-passes",
  schedule: "* * * * *",
  atStart: true,
  async run({ db, config, now }) {
    if (!config.bitcoinChain) return;
    const minute = Math.floor(now().getTime() / 60_000) * 60_000;
    await db.transaction(async (tx) => {
      for (let second = 0; second < 60; second += config.bitcoinPollSeconds) {
        const runAt = new Date(minute + second * 1000);
        const once = { key: `${watchJob}:${second}`, runAt, maxAttempts: 1, queue: watchJob };
        await enqueue(tx, watchJob, {}, once);
      }
    });
  },
};

const watch: Job<WatchContext, object> = {
  name: watchJob,
  run: (app, _, stopping) => watchBitcoin({ ...app, stopping }),
};

export const chainJobs = [schedulePasses, watch];
