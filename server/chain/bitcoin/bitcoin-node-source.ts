import { SourceTrouble } from "../source-condition.ts";
import { toldBy } from "../told-by.ts";
import { BitcoinNode } from "./bitcoin-node.ts";
import type { BlockSource } from "./block-source.ts";

const atOnce = 100;

/** A Bitcoin Core node as a source. A pruned one without a wallet and without indexes is enough. */
export function bitcoinNodeSource(url: string, stopping?: AbortSignal): BlockSource {
  const node = new BitcoinNode(url, stopping);
  return {
    async askTip() {
      const info = await toldBy(node.getBlockchainInfo());
      const header = await toldBy(node.getBlockHeader(info.bestblockhash));
      if (header?.height !== info.blocks) {
        throw new SourceTrouble("lying", "its best block is not at the height that it names");
      }
      // Headers come first, and a block soon after: two may be missing at any moment.
      const isSyncing = info.initialblockdownload || info.headers - info.blocks > 2;
      const time = new Date(header.time * 1000);
      return { height: info.blocks, hash: info.bestblockhash, time, isSyncing };
    },
    hashAt: (height) => toldBy(node.getBlockHash(height)),
    async timeOf(hash) {
      const header = await toldBy(node.getBlockHeader(hash));
      if (!header) throw new SourceTrouble("lying", `it does not know its own block ${hash}`);
      return new Date(header.time * 1000);
    },
    readBlock: (hash) => toldBy(node.getBlock(hash)),
    mempool: {
      list: () => toldBy(node.getMempool()),
      atMost: 5_000,
      async read(txids) {
        const found: Array<Buffer | null> = [];
        for (let from = 0; from < txids.length; from += atOnce) {
          const some = await toldBy(node.getRawTransactions(txids.slice(from, from + atOnce)));
          found.push(...some.map((hex) => (hex === null ? null : Buffer.from(hex, "hex"))));
        }
        return found;
      },
    },
    async findTransaction(txid) {
      const known = await toldBy(node.getRawTransaction(txid));
      if (known) {
        const raw = Buffer.from(known.hex, "hex");
        return { inBlock: known.blockhash !== undefined, raw, height: null };
      }
      // Without an index the node knows of old transactions only what is unspent; the first outputs are looked at.
      for (const output of [0, 1]) {
        const unspent = await toldBy(node.getTxOut(txid, output));
        if (!unspent) continue;
        const tip = await toldBy(node.getBlockHeader(unspent.bestblock));
        const height = tip && tip.height - unspent.confirmations + 1;
        return { inBlock: unspent.confirmations > 0, raw: null, height };
      }
      return null;
    },
  };
}
