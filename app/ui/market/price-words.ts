import { formatAge } from "#app/ui/figures/format-time.ts";
import type { PriceMessage } from "#core/price.ts";
import { terms } from "#core/terms.ts";

export type ChangeTone = "up" | "down" | "flat" | "unknown";

/** A change by sign and word, so that colour only repeats it. */
export function changeWords(percent: number | null): { tone: ChangeTone; text: string } {
  if (percent === null) return { tone: "unknown", text: "change unknown" };
  const size = `${Math.abs(percent).toFixed(2)}%`;
  if (percent > 0) return { tone: "up", text: `+${size} up` };
  if (percent < 0) return { tone: "down", text: `−${size} down` };
  return { tone: "flat", text: `${size} flat` };
}

/** The change of 24 hours, as shown next to a price. */
export function dayChangeWords(percent: number | null): { tone: ChangeTone; text: string } {
  const { tone, text } = changeWords(percent);
  return { tone, text: tone === "unknown" ? text : `${text} in\u00a024\u00a0h` };
}

const maxAgeMs = terms.priceMaxAgeMinutes * 60_000;
/** From here on a price says its own age: up to it, one line for all is enough. */
const tellAgeMs = 2 * 60_000;

export type PriceState = "fresh" | "old" | "none";

/** Young enough to value money with, too old for it, or not there. */
export function priceState(ageMs: number | null): PriceState {
  if (ageMs === null) return "none";
  return ageMs > maxAgeMs ? "old" : "fresh";
}

/** What is next to a price that is missing or not quite new. */
export function priceNote(ageMs: number | null): string {
  if (ageMs === null) return "no price";
  return ageMs < tellAgeMs ? "" : `${age(ageMs).replace(" ago", "")} old`;
}

/** What follows the word 'Prices', for all at once: the age of the newest. */
export function pricesStatus(newestAgeMs: number | null): string {
  if (newestAgeMs === null) return "unavailable";
  const told = age(newestAgeMs);
  return newestAgeMs > maxAgeMs ? `too old: ${told.replace(" ago", "")}` : told;
}

export function age(ageMs: number): string {
  return formatAge(new Date(0), new Date(ageMs));
}

/** The age of the newest price; null: there is none. */
export function newestAge(prices: readonly Pick<PriceMessage, "ageMs">[]): number | null {
  return prices.length === 0 ? null : Math.min(...prices.map(({ ageMs }) => ageMs));
}
