import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { blockSubsidySats } from "../../core/mining/block-subsidy.ts";
import { referenceSats } from "../../core/mining/reference.ts";
import { toDecimal } from "../../core/money.ts";
import { startOfDay } from "../../core/utc-day.ts";
import type { Market } from "../../server/markets/simulation/simulated-market.ts";

/** A day as the rehearsal's pool paid it. */
interface PaidDay {
  day: string;
  sats: string;
  ghs: string;
}

/** As the simulated exchange says it. */
const feesPerBlockSats = 2_083_334n;

/** The pool of a rehearsal: it sees the machines of the console, and pays a little less than the network would. */
export class RehearsalPool {
  readonly #file: string;
  readonly #market: Market;

  constructor(dataDir: string, market: Market) {
    this.#market = market;
    this.#file = path.join(dataDir, "pool.json");
  }

  list(): PaidDay[] {
    return existsSync(this.#file) ? JSON.parse(readFileSync(this.#file, "utf8")) : [];
  }

  /** What it pays for a day that is over, and keeps to; 0 where nothing hashed. */
  payDay(day: string, capacityGhs: bigint): bigint {
    const paid = this.list();
    const known = paid.find((each) => each.day === day);
    if (known) return BigInt(known.sats);
    if (capacityGhs === 0n) return 0n;
    const end = new Date(startOfDay(day).getTime() + 86_340_000);
    const { height, difficulty } = this.#market.network(end);
    // Luck and dead shares: every rehearsal has the same first days.
    const number = BigInt(paid.length);
    const ghs = (capacityGhs * (965n + ((number * 13n) % 30n))) / 1_000n;
    const subsidy = blockSubsidySats(height);
    const reference = referenceSats(ghs, BigInt(Math.round(difficulty)), subsidy, feesPerBlockSats);
    const sats = (reference * (960n + ((number * 29n) % 55n))) / 1_000n;
    const next = [...paid, { day, sats: `${sats}`, ghs: `${ghs}` }];
    writeFileSync(this.#file, `${JSON.stringify(next, null, 1)}\n`);
    return sats;
  }
}

/** Answers as Braiins Pool's read-only API does, about the rehearsal's pool. */
export async function startPool(
  pool: RehearsalPool,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(answer(pool.list(), new URL(request.url ?? "/", "http://pool")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(paid: PaidDay[], { pathname }: URL): string {
  const dateOf = ({ day }: PaidDay) => startOfDay(day).getTime() / 1000;
  if (pathname === "/accounts/hash_rate_daily/json/group/btc") {
    const btc = paid.map((each) => ({
      date: dateOf(each),
      hash_rate_unit: "Gh/s",
      hash_rate_24h: Number(each.ghs),
      total_shares: 1,
    }));
    return JSON.stringify({ btc });
  }
  const daily_rewards = paid.map((each) => {
    const reward = toDecimal(BigInt(each.sats), "BTC");
    const date = dateOf(each);
    return {
      date,
      total_reward: reward,
      mining_reward: reward,
      calculation_date: date + 90_000,
    };
  });
  return JSON.stringify({ btc: { daily_rewards } });
}
