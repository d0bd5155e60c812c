import type { Config } from "../../platform/config.ts";
import { bitcoinNodeSource } from "./bitcoin-node-source.ts";
import type { BlockSource } from "./block-source.ts";
import { esploraSource } from "./esplora-source.ts";

/** Who is asked about the Bitcoin chain; null: nobody is configured. */
export function openSource(
  { bitcoinChain }: Pick<Config, "bitcoinChain">,
  stopping?: AbortSignal,
): BlockSource | null {
  if (!bitcoinChain) return null;
  const open = bitcoinChain.kind === "node" ? bitcoinNodeSource : esploraSource;
  return open(bitcoinChain.url, stopping);
}
