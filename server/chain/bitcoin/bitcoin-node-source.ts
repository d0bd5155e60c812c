import { answerOf } from "../answer-of.ts";
import { SourceIncident } from "../source-health.ts";
import { BitcoinNode } from "./bitcoin-node.ts";
import type { BlockSource } from "./block-source.ts";

const atOnce = 100;

/** A Bitcoin Core node as a source. A pruned one without a wallet and without indexes is enough. */
export function bitcoinNodeSource(url: string, stopping?: AbortSignal): BlockSource {
  const node = new BitcoinNode(url, stopping);
  return {
    async askTip() {
      const info = await answerOf(node.getBlockchainInfo());
      const header = await answerOf(node.getBlockHeader(info.bestblockhash));
      if (header?.height !== info.blocks) {
        throw new SourceIncident("lying", "its best block is not at the height that it names");
      }
      // Headers come first, and a block soon after: two may be missing at any moment.
      const isSyncing = info.initialblockdownload || info.headers - info.blocks > 2;
      const time = new Date(header.time * 1000);
      return { height: info.blocks, hash: info.bestblockhash, time, isSyncing };
    },
    hashAt: (height) => answerOf(node.getBlockHash(height)),
    async timeOf(hash) {
      const header = await answerOf(node.getBlockHeader(hash));
      if (!header) throw new SourceIncident("lying", `it does not know its own block ${hash}`);
      return new Date(header.time * 1000);
    },
    readBlock: (hash) => answerOf(node.getBlock(hash)),
    mempool: {
      list: () => answerOf(node.getMempool()),
      async read(txids) {
        const found: Array<Buffer | null> = [];
        for (let from = 0; from < txids.length; from += atOnce) {
          const some = await answerOf(node.getRawTransactions(txids.slice(from, from + atOnce)));
          found.push(...some.map((hex) => (hex === null ? null : Buffer.from(hex, "hex"))));
        }
        return found;
      },
    },
    async findTransaction(txid) {
      const known = await answerOf(node.getRawTransaction(txid));
      if (known) {
        const raw = Buffer.from(known.hex, "hex");
        return { inBlock: known.blockhash !== undefined, raw, height: null };
      }
      // Without an index the node knows of old transactions only what is unspent; the first outputs are looked at.
      for (const output of [0, 1]) {
        const unspent = await answerOf(node.getTxOut(txid, output));
        if (!unspent) continue;
        const tip = await answerOf(node.getBlockHeader(unspent.bestblock));
        const height = tip && tip.height - unspent.confirmations + 1;
        return { inBlock: unspent.confirmations > 0, raw: null, height };
      }
      return null;
    },
  };
}
