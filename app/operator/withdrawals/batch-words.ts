import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { BatchState, PaymentOutcome } from "#core/withdrawal.ts";

export const batchWords: Record<BatchState, string> = {
  formed: "To sign and send",
  broadcast: "Sent",
  settled: "Confirmed on chain",
  failed: "Overtaken",
};

export const chainWords: Record<WalletChain, string> = { bitcoin: "Bitcoin", ethereum: "Ethereum" };

export const batchTones: Record<BatchState, "good" | "waiting" | "bad"> = {
  formed: "waiting",
  broadcast: "waiting",
  settled: "good",
  failed: "bad",
};

/** What became of a payment on Ethereum. */
export const outcomeWords: Record<PaymentOutcome, string> = {
  paid: "paid",
  undelivered: "did not arrive, as two people found",
  reverted: "refused by the chain",
  voided: "left out",
  overtaken: "its nonce was used elsewhere",
  abandoned: "its batch was ended before it was signed",
};
