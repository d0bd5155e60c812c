import type { WalletChain } from "#core/wallet/wallet-key.ts";

export const networkNames: Record<WalletChain, string> = {
  bitcoin: "Bitcoin",
  ethereum: "Ethereum",
};
