import { estimateRunway, type Runway } from "#core/mining/runway.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { findLastPrice } from "../../markets/find-fresh-price.ts";
import { pipelineReads } from "../../platform/database/pipeline-reads.ts";
import type { Db } from "../../platform/database.ts";
import { listNewestDays, newestDays } from "../days/list-newest-days.ts";
import { listOpenContracts } from "./list-open-contracts.ts";

/** How long a customer's bitcoin covers maintenance: an estimate. Null: nothing runs, or there never was a price. */
export async function findRunway(db: Db, customerId: string, now: Date): Promise<Runway | null> {
  const today = utcDay(now);
  const [balances, contracts, days, price] = await pipelineReads(db, (one) =>
    Promise.all([
      getBalances(one, customerId),
      listOpenContracts(one, [customerId], today),
      listNewestDays(one, customerId, addDays(today, -newestDays)),
      findLastPrice(one, "BTC", now),
    ]),
  );
  if (!price) return null;
  const availableSats = balances.BTC.available;
  return estimateRunway({ availableSats, contracts, days, btcUsdE8: price.usdE8 });
}
