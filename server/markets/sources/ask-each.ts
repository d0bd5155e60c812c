import { type PricedAsset, pricedAssets } from "#core/price.ts";
import { SourceError } from "./ask.ts";
import type { SourceQuote } from "./source.ts";

/**
 * Asks for every asset by a question of its own, all at once. What one of them cannot answer is missing;
 * when none can, or the source wants to be left alone, so does this.
 *
 * @throws SourceError
 */
export async function askEach(
  askOne: (asset: PricedAsset) => Promise<SourceQuote | null>,
): Promise<Map<PricedAsset, SourceQuote>> {
  const answers = await Promise.allSettled(pricedAssets.map(askOne));
  const errors = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const limiting = errors.find((error) => error instanceof SourceError && error.isLimiting);
  if (limiting !== undefined) throw limiting;
  if (errors.length === answers.length) throw errors[0];
  const quotes = new Map<PricedAsset, SourceQuote>();
  for (const [i, asset] of pricedAssets.entries()) {
    const answer = answers[i];
    if (answer?.status === "fulfilled" && answer.value) quotes.set(asset, answer.value);
  }
  return quotes;
}
