import { hexToBytes } from "@noble/hashes/utils.js";
import { createContract, ERC20 } from "micro-eth-signer/abi.js";
import {
  type EthereumLog,
  type EthereumNode,
  transferTopic,
} from "../../chain/ethereum/ethereum-node.ts";

const erc20 = createContract(ERC20);

/** What an address holds of a token, in its smallest unit: now, or after a block. */
export async function balanceOf(
  node: EthereumNode,
  token: string,
  of: string,
  at?: number,
): Promise<bigint> {
  const data = `0x${Buffer.from(erc20.balanceOf.encodeInput(of)).toString("hex")}`;
  const answer = await node.call({ to: token, data }, at);
  return erc20.balanceOf.decodeOutput(hexToBytes(answer.slice(2)));
}

/** What a transaction moved of a token out of an address, by what the token announced. */
export function movedFrom(
  logs: EthereumLog[],
  token: string,
  from: string,
): Array<{ to: string; units: bigint }> {
  return logs.flatMap(({ address, topics: [topic, payer, payee], data }) => {
    const isOurs =
      address === token.toLowerCase() &&
      topic === transferTopic &&
      payer?.slice(26) === from.slice(2).toLowerCase();
    if (!isOurs || !payee || !/^0x[0-9a-f]{64}$/i.test(data)) return [];
    return [{ to: `0x${payee.slice(26)}`, units: BigInt(data) }];
  });
}
