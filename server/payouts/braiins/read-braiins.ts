import { isUtf8 } from "node:buffer";
import { utcDay } from "#core/utc-day.ts";
import { z } from "#core/zod.ts";
import { parseOutsideJson } from "../../platform/ask-outside.ts";
import type { DayOfPool } from "../payout.ts";
import { readGhs, readSats } from "../statement/read-figures.ts";
import { PoolFailure } from "./ask-braiins.ts";

/** Numbers come as their own text: no figure passes through a float. */
const figure = z.string().check(z.maxLength(40));
const moment = z.string().check(z.regex(/^\d{9,11}$/));

const rewardsShape = z.object({
  btc: z.object({
    daily_rewards: z.array(
      z.object({ date: moment, total_reward: figure, calculation_date: z.nullish(moment) }),
    ),
  }),
});

const hashratesShape = z.object({
  btc: z.array(z.object({ date: moment, hash_rate_unit: figure, hash_rate_24h: figure })),
});

/**
 * What the pool says of whole days that it has calculated. A day is left out while one of the two answers lacks it.
 *
 * @throws PoolFailure when an answer has another shape, or a day of it does not begin at 00:00 UTC
 */
export function readBraiins(answers: { rewards: Uint8Array; hashrates: Uint8Array }): DayOfPool[] {
  const rewards = parse(answers.rewards, rewardsShape).btc.daily_rewards;
  const hashrates = new Map(
    parse(answers.hashrates, hashratesShape).btc.map((each) => [dayOf(each.date), each]),
  );
  return rewards.flatMap((reward): DayOfPool[] => {
    const day = dayOf(reward.date);
    const hashrate = hashrates.get(day);
    const isOver = Number(reward.date) + 86_400;
    const isFinal = !reward.calculation_date || Number(reward.calculation_date) >= isOver;
    if (!hashrate || !isFinal) return [];
    const units = readSats(reward.total_reward, "btc", ".");
    const deliveredGhs = readGhs(hashrate.hash_rate_24h, hashrate.hash_rate_unit, ".");
    if (units === null || typeof deliveredGhs === "string")
      throw new PoolFailure("sent no figures");
    return [{ day, units, deliveredGhs, txid: null }];
  });
}

function dayOf(seconds: string): string {
  const at = new Date(Number(seconds) * 1000);
  if (Number(seconds) % 86_400 !== 0) throw new PoolFailure("counts days of another time zone");
  return utcDay(at);
}

function parse<T>(bytes: Uint8Array, shape: z.ZodMiniType<T>): T {
  try {
    if (!isUtf8(bytes)) throw new PoolFailure("sent no text");
    return shape.parse(parseOutsideJson(Buffer.from(bytes), { reviver: numbersAsText }));
  } catch {
    throw new PoolFailure("sent what nobody can read");
  }
}

function numbersAsText(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}
