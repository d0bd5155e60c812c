import { deriveAddress } from "../../core/wallet/derive-address.ts";
import type { App } from "../../server/app-context.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { readReserves } from "../../server/reconciliation/reserves/read-reserves.ts";
import {
  prepareReserve,
  signReserves,
} from "../../server/reconciliation/reserves/sign-reserves.ts";
import type { DemoChain } from "./demo-chain.ts";

const network = "regtest";

/** Olga signs the newest proof with the key of the change that holds most, and the node finds the coins there. */
export async function signDemoReserves(
  { db, now }: App,
  { chain, olga }: { chain: DemoChain; olga: Operator },
): Promise<void> {
  const index = await findRichestChange(chain);
  const toSign = await prepareReserve(db, { address: deriveAddress(chain.key, index, 1), network });
  if (!toSign?.psbt) throw new Error("a proof names a block");
  const given = chain.signMessage(toSign.psbt, index);
  await signReserves(db, olga, { ...toSign, given, network, account: null }, now());
  await readReserves(db, { node: chain.node, network }, now);
}

async function findRichestChange({ key, node }: DemoChain): Promise<number> {
  const addresses = Array.from(
    { length: 50 },
    (_, index) => `addr(${deriveAddress(key, index, 1)})`,
  );
  const { unspents } = await node.scanTxOutSet(addresses);
  const [richest] = unspents.toSorted((a, b) => (a.amount < b.amount ? 1 : -1));
  if (!richest) throw new Error("withdrawals left change");
  return addresses.indexOf(richest.desc);
}
