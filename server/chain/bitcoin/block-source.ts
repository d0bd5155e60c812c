import type { KnownBlock } from "../chain-reader.ts";

/** Somebody who knows the Bitcoin chain. Whatever is said is checked: `check-block.ts`. Everything throws SourceIncident. */
export interface BlockSource {
  askTip(): Promise<
    KnownBlock & {
      /** Whether it says that it is still reading the chain itself. */ isSyncing: boolean;
    }
  >;
  /** Null: its chain is not that high. */
  hashAt(height: number): Promise<string | null>;
  /** The time of a block by its own clock. */
  timeOf(hash: string): Promise<Date>;
  /** The block as it travels, byte for byte. */
  readBlock(hash: string): Promise<Buffer>;
  /** Transactions that wait for a block. */
  mempool: {
    list(): Promise<string[]>;
    /** The bytes of the first of them, as far as it came; null for one that is no longer there. */
    read(txids: string[]): Promise<Array<Buffer | null>>;
  };
  /** What it knows of a transaction; null: nothing, which need not mean that there is none. */
  findTransaction(txid: string): Promise<ToldTransaction | null>;
}

/** What a source says of a transaction. */
export interface ToldTransaction {
  inBlock: boolean;
  /** Null: it does not tell its bytes. */
  raw: Buffer | null;
  /** Of its block, where its bytes are missing. */
  height: number | null;
}
