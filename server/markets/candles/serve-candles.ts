import { createHash } from "node:crypto";
import { type CandlesMessage, isPricedAsset, type PricedAsset, toUsd } from "#core/price.ts";
import { isDatabaseOutage } from "../../platform/database/database-failure.ts";
import type { Db } from "../../platform/database.ts";
import { compressBody } from "../../platform/http/compress-body.ts";
import { preferredEncoding } from "../../platform/http/page-answer.ts";
import { listCandles } from "./list-candles.ts";

const keptMs = 30_000;

interface Kept {
  etag: string;
  bodies: Record<"br" | "gzip" | "identity", Uint8Array>;
}

/**
 * Makes the answer to `/market/candles/:asset.json`: twelve months of daily candles. Read and compressed once
 * in half a minute per asset, however many ask; null when there is no such asset.
 */
export function openCandles({ db, now }: { db: Db; now(): Date }) {
  const kept = new Map<PricedAsset, { made: Promise<Kept>; until: number }>();
  return async (file: string, request: Request): Promise<Response | null> => {
    const asset = file.replace(/\.json$/, "");
    if (!file.endsWith(".json") || !isPricedAsset(asset)) return null;
    const found = await current(asset).catch((error: unknown) => {
      if (!isDatabaseOutage(error)) throw error;
      return null;
    });
    if (!found) return new Response(null, { status: 503, headers: { "retry-after": "5" } });
    const { etag, bodies } = found;
    const headers = {
      etag,
      "cache-control": "public, max-age=30, stale-while-revalidate=300",
      "content-type": "application/json; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
    };
    if (request.headers.get("if-none-match") === etag)
      return new Response(null, { status: 304, headers });
    const coding = preferredEncoding(request.headers.get("accept-encoding") ?? undefined);
    const encoded = coding === "identity" ? headers : { ...headers, "content-encoding": coding };
    return new Response(bodies[coding] as Uint8Array<ArrayBuffer>, { headers: encoded });
  };

  function current(asset: PricedAsset): Promise<Kept> {
    const known = kept.get(asset);
    if (known && known.until > Date.now()) return known.made;
    const made = make(asset);
    kept.set(asset, { made, until: Date.now() + keptMs });
    // What failed is tried anew by the next who asks.
    made.catch(() => kept.delete(asset));
    return made;
  }

  async function make(asset: PricedAsset): Promise<Kept> {
    const candles = await listCandles(db, asset, { days: 365, now: now() });
    const message: CandlesMessage = {
      asset,
      simulated: candles.some(({ simulated }) => simulated),
      candles: candles.map(({ day, openUsdE8, highUsdE8, lowUsdE8, closeUsdE8 }) => ({
        day,
        open: toUsd(openUsdE8),
        high: toUsd(highUsdE8),
        low: toUsd(lowUsdE8),
        close: toUsd(closeUsdE8),
      })),
    };
    const identity = Buffer.from(JSON.stringify(message));
    const br = await compressBody("br", identity);
    const gzipped = await compressBody("gzip", identity);
    const etag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
    return { etag, bodies: { br, gzip: gzipped, identity } };
  }
}
