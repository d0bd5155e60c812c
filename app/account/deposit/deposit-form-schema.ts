import { hasOddComma } from "#core/decimal.ts";
import { oldPage } from "#core/form-fields.ts";
import { formatUsd, parseAmount } from "#core/money.ts";
import { depositMethods, maxDepositUsdCents } from "#core/payments/deposit.ts";
import { terms } from "#core/terms.ts";
import { z } from "#core/zod.ts";

const tooLarge = `The file is larger than ${terms.slipMaxBytes / 1024 / 1024} MB. Send a smaller picture or a screenshot.`;

const tooMuch = `The amount cannot be more than ${formatUsd(maxDepositUsdCents)}`;

const slipMissing = "Please choose your payment slip";

/**
 * The slip form, the same on both sides. The slip is either already uploaded (`slipId`, a draft of this
 * customer) or a file that comes along with the form.
 */
export const depositFormSchema = z
  .object({
    submissionKey: z.uuid(oldPage),
    amount: z.string("Please enter the amount of your deposit").check(
      z.refine((text) => amountError(text) === null, {
        error: ({ input }) => amountError(String(input)) ?? "",
      }),
    ),
    method: z.enum(depositMethods, "Please choose a method"),
    slipId: z.optional(z.uuid(slipMissing)),
    slip: z.optional(
      z.instanceof(File).check(z.refine((file) => file.size <= terms.slipMaxBytes, tooLarge)),
    ),
  })
  .check(
    z.refine((form) => form.slipId !== undefined || form.slip !== undefined, {
      path: ["slip"],
      message: slipMissing,
      // Said together with what is wrong in the other fields, not only once they are right.
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
  );

/** What is wrong with a typed amount of dollars, or null. */
export function amountError(text: string): string | null {
  const typed = text.trim();
  if (/^(-|−|\(|\$\s*-)/.test(typed)) return "The amount cannot be negative";
  const cents = parseAmount(typed, "USD");
  if (cents === null) return misspelt(typed);
  if (cents === 0n) return "The amount must be more than $0.00";
  return cents > maxDepositUsdCents ? tooMuch : null;
}

function misspelt(typed: string): string {
  if (hasOddComma(typed)) return "Enter dollars and cents with a point, for instance 1250.50";
  if (/^\$?\s*[\d,]+\.\d{3,}$/.test(typed)) return "Use at most two decimals, for instance 1250.50";
  if (/^\$?\s*[\d,]{19,}(\.\d*)?$/.test(typed)) return tooMuch;
  return "Enter dollars and cents, for instance 1250.50";
}
