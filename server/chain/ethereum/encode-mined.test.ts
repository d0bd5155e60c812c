import { authorization, Transaction } from "micro-eth-signer";
import { expect, test } from "vitest";
import { encodeTransaction } from "./encode-mined.ts";
import type { EthereumTransaction } from "./ethereum-node.ts";

const key = `0x${"46".repeat(32)}`;
const to = "0x3535353535353535353535353535353535353535";
const word = `0x${"0a".repeat(32)}`;
const accessList = [{ address: to, storageKeys: [word] }];
const gas = { gasLimit: 60_000n, maxFeePerGas: 5n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
const said = { to, value: 10n ** 18n, data: "0xa9059cbb", nonce: 9n, chainId: 1n };
const granted = authorization.sign({ chainId: 1n, address: to, nonce: 3n }, key);

/** Signed by a library that knows nothing of what nodes tell; then told as nodes tell it. */
const cases = {
  legacy: Transaction.prepare({ ...said, type: "legacy", gasLimit: 21_000n, gasPrice: 7n }, false),
  eip2930: Transaction.prepare(
    { ...said, type: "eip2930", gasLimit: 60_000n, gasPrice: 7n, accessList },
    false,
  ),
  eip1559: Transaction.prepare({ ...said, ...gas, type: "eip1559", accessList }, false),
  eip4844: Transaction.prepare(
    {
      ...said,
      ...gas,
      type: "eip4844",
      accessList,
      maxFeePerBlobGas: 3n,
      blobVersionedHashes: [`0x01${"22".repeat(31)}`],
    },
    false,
  ),
  eip7702: Transaction.prepare(
    { ...said, ...gas, type: "eip7702", accessList, authorizationList: [granted] },
    false,
  ),
};

test.each(Object.entries(cases))(
  "a transaction of the kind %s is the bytes that were signed",
  (kind, unsigned) => {
    const signed = (unsigned as (typeof cases)["eip1559"]).signBy(key);
    const { data, gasLimit, authorizationList, ...raw } = signed.raw as unknown as Record<
      string,
      unknown
    >;
    const told = {
      ...raw,
      type: asHex(Object.keys(cases).indexOf(kind)),
      input: data,
      gas: gasLimit,
      ...(kind === "legacy" && { v: signed.v }),
      authorizationList,
    };
    const inHex = JSON.parse(
      JSON.stringify(told, (_, value) => (isAmount(value) ? asHex(value) : value)),
    );
    expect(encodeTransaction(inHex as EthereumTransaction)).toEqual(signed.toBytes());
    expect(encodeTransaction({ ...inHex, type: "0x7f" })).toBeNull();
    expect(encodeTransaction({ ...inHex, r: undefined })).toBeNull();
  },
);

function isAmount(value: unknown): value is number | bigint {
  return typeof value === "bigint" || typeof value === "number";
}

function asHex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
