import type { Network } from "#core/payments/address.ts";
import type { ChainReader } from "../chain-reader.ts";
import type { BlockSource } from "./block-source.ts";
import { checkBlock } from "./check-block.ts";
import { matchOutputs } from "./match-outputs.ts";

/** The Bitcoin chain as a source tells it, every block checked. */
export function readBitcoin(source: BlockSource, network: Network): ChainReader {
  return {
    chain: "bitcoin",
    hashAt: (height) => source.hashAt(height),
    timeOf: (hash) => source.timeOf(hash),
    async readBlock(hash, before) {
      const { time, bits, transactions } = checkBlock(await source.readBlock(hash), {
        hash,
        before,
        network,
      });
      return { hash, time, bits, findPayments: (db) => matchOutputs(db, transactions) };
    },
  };
}
