import type { Branch } from "#core/wallet/wallet-key.ts";

/** An unspent output of a wallet of ours, as a node found it in blocks. */
export interface ScannedCoin {
  txid: string;
  vout: number;
  /** Satoshis, as a decimal string: it is kept as JSON. */
  sats: string;
  /** 0: paid in by somebody; 1: change of our own payments; 2: paid in by a customer. */
  branch: Branch;
  index: number;
  height: number;
  blockHash: string;
}

/** A coin that a payment may spend. */
export interface Coin {
  txid: string;
  vout: number;
  units: bigint;
  branch: Branch;
  index: number;
  blockHash: string;
}

/** How a coin is named: `txid:vout`. */
export function outpointOf({ txid, vout }: Pick<Coin, "txid" | "vout">): string {
  return `${txid}:${vout}`;
}

export function toCoin({ sats, height: _, ...coin }: ScannedCoin): Coin {
  return { ...coin, units: BigInt(sats) };
}
