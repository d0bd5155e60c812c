import { bytesToHex } from "@noble/hashes/utils.js";
import { Transaction } from "micro-eth-signer";
import { createContract, ERC20 } from "micro-eth-signer/abi.js";
import { toChecksumAddress } from "#core/payments/address.ts";

/** Wei per unit of gas (EIP-1559). */
export interface GasPrice {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** What a transfer of ether from one plain account to another one costs. */
export const plainGas = 21_000n;

/** A payment, or with `pays` false what takes its nonce and pays nobody. */
export interface PaymentOrder {
  chainId: number;
  /** EIP-55, as all addresses here. */
  hotWallet: string;
  nonce: number;
  pays: boolean;
  to: string;
  units: bigint;
  /** The contract through which it is paid; null: ether. */
  token: string | null;
  gasLimit: bigint;
}

/** Whom a transaction calls, with what: of a token its contract, which is told to pay. */
export interface Call {
  to: string;
  value: bigint;
  /** Hex, `0x` where there is none. */
  data: string;
}

const erc20 = createContract(ERC20);

export function callOf({
  pays,
  hotWallet,
  to,
  units,
  token,
}: Pick<PaymentOrder, "pays" | "hotWallet" | "to" | "units" | "token">): Call {
  if (!pays) return { to: hotWallet, value: 0n, data: "0x" };
  if (token === null) return { to, value: units, data: "0x" };
  const data = erc20.transfer.encodeInput({ to, value: units });
  return { to: toChecksumAddress(token), value: 0n, data: `0x${bytesToHex(data)}` };
}

/** The transaction of type 2 (EIP-1559) that is to be signed: its bytes without a signature. */
export function buildTransaction(order: PaymentOrder, price: GasPrice): Uint8Array {
  const { chainId, nonce, gasLimit } = order;
  const { to, value, data } = callOf(order);
  return Transaction.prepare({
    type: "eip1559",
    chainId: BigInt(chainId),
    nonce: BigInt(nonce),
    to,
    value,
    data: data === "0x" ? "" : data,
    gasLimit,
    ...price,
    accessList: [],
  }).toBytes({ includeSignature: false });
}
