import { type Coin, coins } from "../asset.ts";
import type { Step } from "../mining/recompute-receipt.ts";
import { formatAmount } from "../money.ts";
import { formatDay } from "../utc-day.ts";
import { hashDay, type ProofDay } from "./day-digest.ts";
import { toStep } from "./recompute-proof.ts";
import { type OwedLeaf, type SumSibling, type Sums, sumLeaf, sumRoot } from "./sum-tree.ts";

/** All that leads from what is owed to one customer to the published hash of a day. */
export interface OwedProof {
  leaf: OwedLeaf;
  /** From the leaf to the root. */
  path: SumSibling[];
  day: ProofDay;
}

/** What the account says. */
export interface ShownOwed {
  customerId: string;
  /** Now: available and held, and what of contracts' prices is not served yet. */
  balance: Sums;
  prepaid: Sums;
  /** Since the day's tree: what moved the balance, and what was paid for contracts. */
  moved: Sums;
  bought: Sums;
}

const mostSteps = 32;

/**
 * Works out from the leaf what the account must say now, and the sums and hashes from there to the published digest. It believes no
 * result of the proof: each step takes what the one before computed. Throws where the proof holds what is no amount, or one below zero.
 */
export function recomputeOwed(
  { leaf, path, day }: OwedProof,
  shown: ShownOwed,
  digest: string,
): Step[] {
  if (path.length > mostSteps) throw new RangeError("no tree is so high");
  const root = sumRoot(sumLeaf(leaf), path);
  const [owedBtc, owedEth, owedUsdt] = [root.BTC, root.ETH, root.USDT];
  const others = path.length === 1 ? "the sum on the way" : `the ${path.length} sums on the way`;
  const inAll = (sums: Sums) => coins.map((coin) => amount(coin, sums[coin])).join(", ");
  return [
    toStep("Whose entry it is", {
      formula: "the account's number",
      computed: leaf.customerId,
      stated: shown.customerId,
    }),
    ...coins.flatMap((coin) => coinSteps(coin, leaf, shown)),
    toStep("Owed to all", {
      formula: `your entry with ${others}`,
      computed: inAll(root),
      stated: inAll({
        BTC: day.owedBtc ?? "0",
        ETH: day.owedEth ?? "0",
        USDT: day.owedUsdt ?? "0",
      }),
    }),
    toStep("Root of the tree", {
      formula: `your entry's hash with ${path.length === 1 ? "the one" : `the ${path.length}`} on the way`,
      computed: root.hash,
      stated: day.root ?? "",
    }),
    toStep(`Hash of ${formatDay(day.day)}`, {
      formula: "the day's root, sums, seal, act and the hash before",
      computed: hashDay({ ...day, day: leaf.day, root: root.hash, owedBtc, owedEth, owedUsdt }),
      stated: digest,
    }),
  ];
}

/** What has nothing in a coin, and had nothing, sees no step for it. */
function coinSteps(coin: Coin, { balance, prepaid }: OwedLeaf, shown: ShownOwed): Step[] {
  const [had, moved] = [BigInt(balance[coin]), BigInt(shown.moved[coin])];
  const [paid, bought] = [BigInt(prepaid[coin]), BigInt(shown.bought[coin])];
  const unserved = BigInt(shown.prepaid[coin]);
  const steps: Step[] = [];
  if (had || moved || shown.balance[coin] !== "0")
    steps.push(
      toStep(`${coin} that you have`, {
        formula: `${amount(coin, had)} then, ${amount(coin, moved)} moved since`,
        computed: amount(coin, had + moved),
        stated: amount(coin, shown.balance[coin]),
      }),
    );
  if (paid || bought || unserved)
    steps.push({
      ...toStep(`${coin} paid for contracts and not served, at least what is left now`, {
        formula: `${amount(coin, paid)} then, ${amount(coin, bought)} bought since`,
        computed: amount(coin, paid + bought),
        stated: amount(coin, unserved),
      }),
      agrees: paid + bought >= unserved,
    });
  return steps;
}

const amount = (coin: Coin, units: bigint | string) =>
  `${formatAmount(BigInt(units), coin)} ${coin}`;
