/** The figures of a day that a credit, and its worth, follow from. */
export interface ExplainedDay {
  creditSats: bigint;
  servedPpm: bigint;
  btcUsdE8: bigint;
  /** Null: the network was not asked on that day. */
  reference: { difficulty: bigint; subsidySats: bigint; feesPerBlockSats: bigint } | null;
}

/**
 * What differs from the day before, in tenths of a per cent. `credit` is the whole difference in bitcoin; `downtime`, `difficulty` and
 * `block` are causes of it, and `pools` is what these do not explain: luck and fees of the pools. `price` changes only what it is worth.
 */
export type DayCause = "credit" | "downtime" | "difficulty" | "block" | "pools" | "price";

export interface DayChange {
  cause: DayCause;
  /** Signed: −31 is 3.1 % less. */
  permille: bigint;
}

/** Says why a day brought more or less than the one before. Causes without a difference are left out. */
export function explainDay(day: ExplainedDay, before: ExplainedDay): DayChange[] {
  const changes: DayChange[] = [];
  const note = (cause: DayCause, to: bigint, from: bigint) => {
    const permille = from === 0n ? 0n : rounded((to - from) * 1000n, from);
    if (permille !== 0n) changes.push({ cause, permille });
  };
  note("credit", day.creditSats, before.creditSats);
  note("downtime", day.servedPpm, before.servedPpm);
  if (day.reference && before.reference) {
    const [pays, paid] = [blockSats(day.reference), blockSats(before.reference)];
    note("difficulty", day.reference.difficulty, before.reference.difficulty);
    note("block", pays, paid);
    // A credit that differs by no more than these causes say has nothing left to explain. Credits are rounded down, so one satoshi
    // explains itself: of a few dozen it would be a few per cent.
    const of = before.servedPpm * paid * day.reference.difficulty;
    const expected =
      of === 0n
        ? 0n
        : (before.creditSats * day.servedPpm * pays * before.reference.difficulty) / of;
    const rest = day.creditSats - expected;
    if (rest > 1n || rest < -1n) note("pools", day.creditSats, expected);
  }
  note("price", day.btcUsdE8, before.btcUsdE8);
  return changes;
}

function blockSats({ subsidySats, feesPerBlockSats }: NonNullable<ExplainedDay["reference"]>) {
  return subsidySats + feesPerBlockSats;
}

/** To the nearest, halves away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return dividend < 0n ? (dividend - half) / divisor : (dividend + half) / divisor;
}
