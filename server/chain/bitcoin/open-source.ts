import type { Config } from "../../platform/config.ts";
import { bitcoinNodeSource } from "./bitcoin-node-source.ts";
import type { BlockSource } from "./block-source.ts";

/** The node that is asked about the Bitcoin chain; null: none is configured. */
export function openSource(
  { bitcoinChain }: Pick<Config, "bitcoinChain">,
  stopping?: AbortSignal,
): BlockSource | null {
  return bitcoinChain && bitcoinNodeSource(bitcoinChain.url, stopping);
}
