import type { WalletChain } from "./wallet-key.ts";

/** The console shows the addresses before this index; the one at it has to be read in the wallet itself. */
export const comparedIndex = 3;

/** What wallets look ahead by themselves: after so many unused addresses they stop looking (BIP 44). */
export const usualGapLimit = 20;

/** The chains, as people read them. */
export const chainNames: Record<WalletChain, string> = { bitcoin: "Bitcoin", ethereum: "Ethereum" };
