import { bytesToHex } from "@noble/hashes/utils.js";
import type { Coin } from "#core/asset.ts";
import { toDecimal } from "#core/money.ts";
import { callOf, type GasPrice, type PaymentOrder } from "./build-transaction.ts";

/** A payment with its coin, for people, and the bytes that are to be signed. */
export type UnsignedPayment = PaymentOrder & { coin: Coin; unsigned: Uint8Array };

/**
 * The file that is taken away to sign, as JSON: what each transaction pays, in words; its fields as `eth_signTransaction` and
 * most signers take them, quantities in hex; and its bytes without a signature, which what comes back is compared with.
 */
export function writeUnsigned(
  { batchId, number, day }: { batchId: string; number: number; day: string },
  payments: UnsignedPayment[],
  price: GasPrice,
): Uint8Array {
  const [first] = payments;
  const file = {
    format: "assay-ethereum-batch-1",
    batch: batchId,
    version: number,
    day,
    chainId: first?.chainId,
    payoutWallet: first?.hotWallet,
    howTo:
      'Sign each transaction away from any network, and bring the signed bytes back: this file with "signed" beside each "unsigned", a JSON list of them, or one in a line.',
    transactions: payments.map((payment) => toEntry(payment, price)),
  };
  return Buffer.from(`${JSON.stringify(file, null, 2)}\n`);
}

function toEntry(payment: UnsignedPayment, price: GasPrice) {
  const { chainId, hotWallet, nonce, pays, coin, units, to, gasLimit, unsigned } = payment;
  const call = callOf(payment);
  return {
    pays: pays
      ? { coin, amount: toDecimal(units, coin), to }
      : "nobody: it takes the nonce, so that nothing else does",
    mostFeeInEther: toDecimal(gasLimit * price.maxFeePerGas, "ETH"),
    transaction: {
      type: "0x2",
      chainId: quantity(chainId),
      from: hotWallet,
      nonce: quantity(nonce),
      to: call.to,
      value: quantity(call.value),
      data: call.data,
      gas: quantity(gasLimit),
      maxFeePerGas: quantity(price.maxFeePerGas),
      maxPriorityFeePerGas: quantity(price.maxPriorityFeePerGas),
      accessList: [],
    },
    unsigned: `0x${bytesToHex(unsigned)}`,
  };
}

function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
