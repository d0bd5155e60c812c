import type { Job } from "../platform/jobs/jobs.ts";
import { repairCandles } from "./candles/repair-candles.ts";
import { pollNetwork } from "./poll-network.ts";
import { pollPrices } from "./poll-prices.ts";
import type { MarketContext } from "./round.ts";
import { pollPricesJob, scheduleRounds } from "./schedule-rounds.ts";
import { sweepPrices } from "./sweep-prices.ts";

interface Context extends MarketContext {
  now(): Date;
}

export const marketJobs: Job<Context, object>[] = [
  {
    name: "markets/schedule-rounds",
    schedule: "* * * * *",
    atStart: true,
    run: (app) => scheduleRounds(app, app.now()),
  },
  { name: pollPricesJob, run: (app, _, stopping) => pollPrices({ ...app, stopping }) },
  {
    name: "markets/repair-candles",
    schedule: "7,17,27,37,47,57 * * * *",
    atStart: true,
    run: (app, _, stopping) => repairCandles({ ...app, stopping }),
  },
  {
    name: "markets/poll-network",
    schedule: "*/10 * * * *",
    atStart: true,
    run: (app, _, stopping) => pollNetwork({ ...app, stopping }),
  },
  {
    name: "markets/sweep-prices",
    schedule: "43 * * * *",
    run: (app) => sweepPrices(app.db, app.now()),
  },
];
