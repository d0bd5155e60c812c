import type { Coin } from "#core/asset.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Db } from "../platform/database.ts";

/** A block that a chain has: what is known of it without reading it. */
export interface KnownBlock {
  height: number;
  hash: string;
  /** By the block's own clock. */
  time: Date;
}

/** What a source says is its newest block. */
export interface SourceTip extends KnownBlock {
  /** The newest block that the chain itself calls final; null where there is none. Bitcoin has no such thing. */
  finalized: KnownBlock | null;
}

/** The block that another one claims to follow. `bits` is its compact target; null: not known, or the chain has none. */
export interface BlockBefore {
  height: number;
  hash: string;
  bits: number | null;
}

/** A payment to an address of ours. */
export interface FoundPayment {
  txid: string;
  /** Bitcoin: the output. Ethereum: `ethereum-place.ts`. */
  outputIndex: number;
  asset: Coin;
  address: string;
  units: bigint;
  /** New coins of a Bitcoin block. */
  coinbase: boolean;
  /** The transaction's bytes, where somebody who spends needs them. */
  raw: Uint8Array | null;
  /** Bitcoin: the coins that the transaction spends, each as `txid:output`. */
  spends: string[] | null;
}

/** A block that was read and checked. */
export interface ReadBlock {
  hash: string;
  time: Date;
  bits: number | null;
  /** Payments to our addresses, found in one question whatever the number of addresses. */
  findPayments(db: Db): Promise<FoundPayment[]>;
}

/** A chain as `follow-chain.ts` reads it on, whichever it is. Everything throws SourceIncident. */
export interface ChainReader {
  chain: WalletChain;
  /** Null: the source's chain is not that high. */
  hashAt(height: number): Promise<string | null>;
  timeOf(hash: string): Promise<Date>;
  /** The block that follows another. What the source says of it is checked. */
  readBlock(hash: string, before: BlockBefore): Promise<ReadBlock>;
}
