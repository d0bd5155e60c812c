import { type Coin, coins } from "#core/asset.ts";
import { oldPage } from "#core/form-fields.ts";
import { parseAmount } from "#core/money.ts";
import { countWalletsMax, maxCountUnits } from "#core/payments/custody-count.ts";
import { z } from "#core/zod.ts";
import { withoutNul } from "../parts/parsed-text.ts";

/** The form of a count: what was read, when, in which wallets. */
export const countSchema = z
  .object({
    submissionKey: z.uuid(oldPage),
    coin: z.enum(coins, "Choose a coin"),
    amount: z.string("Enter what the wallets hold"),
    asOf: z
      .string("Enter when the wallets were read")
      .check(
        z.refine((text) => momentOf(text) !== null, "A date and a time, such as 2026-11-22 10:00"),
      ),
    block: z.optional(
      z
        .string()
        .check(z.trim(), z.regex(/^\d{1,9}$/, "The height of a block, such as 900000, or nothing")),
    ),
    wallets: z
      .string("Say in a line which wallets you read, and how")
      .check(
        z.overwrite(withoutNul),
        z.trim(),
        z.minLength(1, "Say in a line which wallets you read, and how"),
        z.maxLength(countWalletsMax, `At most ${countWalletsMax} characters`),
      ),
    evidenceId: z.optional(z.uuid("Choose the file again")),
  })
  .check(
    z.refine<{ coin: Coin; amount: string }>(({ coin, amount }) => unitsOf(coin, amount) !== null, {
      path: ["amount"],
      error: "An amount with no more decimals than the coin has; 0 where nothing is there",
      when: ({ value }) => {
        const form = value as { coin?: unknown; amount?: unknown } | null;
        return typeof form?.amount === "string" && coins.some((coin) => coin === form.coin);
      },
    }),
  );

/** What was typed in the coin's smallest unit; null when it can be in no wallet. */
export function unitsOf(coin: Coin, amount: string): bigint | null {
  const units = parseAmount(amount, coin);
  return units !== null && units >= 0n && units <= maxCountUnits[coin] ? units : null;
}

/** A moment in UTC as browsers send it, with or without seconds; null when it is none. */
export function momentOf(text: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)$/.exec(text.trim());
  const at = match ? new Date(`${match[1]}T${match[2]}Z`) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
}
