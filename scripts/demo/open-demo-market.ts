import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { utcDay } from "../../core/utc-day.ts";
import { type Market, simulatedMarket } from "../../server/markets/simulation/simulated-market.ts";

/** The simulated market of a data directory. It begins on the day of the first start and goes on after each later one. */
export function openDemoMarket(dataDir: string, now: () => Date): Market {
  const file = path.join(dataDir, "simulated-market");
  if (!existsSync(file)) writeFileSync(file, `${utcDay(now())}\n`);
  return simulatedMarket(now, readFileSync(file, "utf8").trim());
}
