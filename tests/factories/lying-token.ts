import { transferTopic } from "#server/chain/ethereum/ethereum-node.ts";
import type { RunningEthereumNode } from "../setup/ethereum-node.ts";

/**
 * Mines what waits while the token does nothing, and announces `less` than it was told (null: announces nothing either). Its code
 * is as it was afterwards, which is returned: leaving the block brings the lie back.
 */
export async function mineWithLyingToken(
  ethereum: RunningEthereumNode,
  less: bigint | null,
): Promise<string> {
  const honest = await ethereum.call<string>("eth_getCode", [ethereum.usdt, "latest"]);
  await ethereum.call("anvil_setCode", [ethereum.usdt, less === null ? "0x00" : codeOf(less)]);
  await ethereum.mine();
  await ethereum.call("anvil_setCode", [ethereum.usdt, honest]);
  return honest;
}

/** `transfer(to, value)`: emits Transfer(caller, to, value - less). */
function codeOf(less: bigint): string {
  const difference = `63${less.toString(16).padStart(8, "0")}60243503`;
  const inMemory = "600052";
  const topics = `60043533${`7f${transferTopic.slice(2)}`}`;
  return `0x${difference}${inMemory}${topics}60206000a300`;
}
