import type { Rehearsal } from "#server/rehearsal.ts";

/** A rehearsal that notes what was asked of it, and moves neither a clock nor a coin. */
export function createTestRehearsal({
  begun = [] as string[],
  paid = [] as Array<[address: string, sats: bigint]>,
} = {}): Rehearsal {
  return {
    progress: null,
    daysAhead: 3,
    beginNextDay() {
      begun.push("next day");
    },
    newAddress: async () => "bcrt1elsewhere",
    async pay(address, sats) {
      paid.push([address, sats]);
      return "ab".repeat(32);
    },
    mineBlocks: async () => {},
    listOperatorAddresses: async () => ["bcrt1first", "bcrt1second"],
    readHoldings: async () => ({ hot: "0.01200000", cold: "0.00071000" }),
    sign: async (psbt) => `${psbt} signed`,
  };
}
