import { coins } from "#core/asset.ts";
import { oldPage } from "#core/form-fields.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { z } from "#core/zod.ts";

/** A form of an address for the book. What is wrong with the address itself needs the network: the page asks for it. */
export const addressSchema = z.object({
  coin: z.enum(coins, oldPage),
  address: z.string("Enter an address").check(z.maxLength(200, "This is too long")),
  label: z
    .string("Give it a name, for instance Cold wallet")
    .check(
      z.trim(),
      z.minLength(1, "Give it a name, for instance Cold wallet"),
      z.maxLength(withdrawalTerms.addressLabelMax, "At most 60 characters"),
    ),
});

export const requestSchema = z.object({
  coin: z.enum(coins, oldPage),
  requestKey: z.uuid(oldPage),
  addressId: z.uuid("Choose an address of your book"),
  // Left empty or unused where all is asked for.
  amount: z.optional(z.string()),
  all: z.optional(z.string()),
  final: z.optional(z.string()),
});
