import { toChecksumAddress } from "#core/payments/address.ts";
import { encodeCall, type RunningEthereumNode } from "../setup/ethereum-node.ts";

interface UnsignedFile {
  transactions: Array<{ transaction: Record<string, unknown>; unsigned: string }>;
}

export interface EthereumHotWallet {
  /** As WITHDRAWAL_ADDRESS_ETHEREUM is given. */
  address: string;
  /** Signs each transaction of the file that was taken away as the node signs: nothing of the product's own code. */
  sign(file: Uint8Array, change?: Record<string, unknown>): Promise<string[]>;
  /** Our file, with the signed bytes beside the unsigned ones. */
  signFile(file: Uint8Array): Promise<Buffer>;
  /** Moves tokens out of it by the operator's own hand. Waits for a block. */
  spendTokens(units: bigint): Promise<string>;
}

/** The operator's address that pays, one of the node's own accounts; its tokens come from the first. */
export async function createEthereumHotWallet(
  ethereum: RunningEthereumNode,
  tokens: bigint,
): Promise<EthereumHotWallet> {
  const [bank, own] = ethereum.accounts;
  const address = toChecksumAddress(own);
  await ethereum.payTokens(address, tokens);
  await ethereum.mine();
  const sign: EthereumHotWallet["sign"] = (file, change = {}) => {
    const { transactions } = read(file);
    return Promise.all(
      transactions.map(({ transaction }) =>
        ethereum.call<string>("eth_signTransaction", [{ ...transaction, ...change }]),
      ),
    );
  };
  return {
    address,
    sign,
    async signFile(file) {
      const signed = await sign(file);
      const { transactions, ...rest } = read(file);
      const both = transactions.map((each, i) => ({ ...each, signed: signed[i] }));
      return Buffer.from(JSON.stringify({ ...rest, transactions: both }));
    },
    spendTokens: (units) => {
      const data = encodeCall("TestUsdt", "transfer", { to: bank, value: units });
      return ethereum.send({ from: own, to: ethereum.usdt, data });
    },
  };
}

function read(file: Uint8Array): UnsignedFile {
  return JSON.parse(Buffer.from(file).toString());
}
