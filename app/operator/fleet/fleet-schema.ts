import { parseDecimal } from "#core/decimal.ts";
import { z } from "#core/zod.ts";
import { day, hashrate, id, mark, usdMicros, utcMoment, whole, words } from "../parts/fields.ts";
import { parsed } from "../parts/parsed-text.ts";

const evidence = words("Name the source, for instance a measurement or a bill", 300);

/** The mark of what the form was made of. */

const deliveryState = {
  effectiveFrom: day("Since or from which day?"),
  machines: whole("How many run?", 10_000_000),
  measured: hashrate("How fast is one of them?"),
  watts: whole("What does one of them draw?", 1_000_000),
  evidence,
};

const site = {
  name: words("Write a name", 100),
  place: words("Write the town or region and the country", 200),
};

export const siteSchema = z.object(site);
export const renameSchema = z.object({ siteId: id, seen: mark, ...site });

export const energySchema = z.object({
  siteId: id,
  effectiveFrom: day("From which day?"),
  price: usdMicros("What does a kilowatt hour cost?"),
  evidence,
});

export const deliverySchema = z.object({
  deliveryId: id,
  siteId: id,
  model: words("Which model?", 100),
  nameplate: hashrate("What does the maker say of one?"),
  ...deliveryState,
});

export const stateSchema = z.object({ seen: mark, ...deliveryState });

const outage = {
  /** A site, or one delivery of it: "site" or "site/delivery". */
  what: words("What is down?", 80),
  at: utcMoment("Since when?"),
  lost: hashrate("How much hashrate is lost?"),
  reason: words("Write the reason, as customers read it", 300),
};
const why = words("Write why, as customers read it on their receipts", 300);

export const outageSchema = z.object({ outageId: id, ...outage });
export const outageCorrectionSchema = z.object({
  outageId: id,
  correctionId: id,
  ...outage,
  until: z.optional(utcMoment("")),
  /** The end that the form was made of. */
  seen: z.optional(z.string()),
  why,
});
export const outageWithdrawalSchema = z.object({ outageId: id, why });

export const endSchema = z.object({
  outageId: id,
  until: utcMoment("Since when does it run again?"),
});

export const reserveSchema = z.object({
  percent: parsed(
    "How much is never sold?",
    (text) => parseDecimal(text.trim().replace(/\s*%$/, ""), 4),
    "A percentage with at most 4 decimals, such as 5",
  ),
});
