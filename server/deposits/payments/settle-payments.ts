import { Refusal } from "#core/refusal.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { findSource } from "../../chain/find-source.ts";
import { listPaymentsToSettle } from "../../chain/list-payments-to-settle.ts";
import { confirmationsNeeded } from "../../chain/payment.ts";
import { postponePayment } from "../../chain/settle-payment.ts";
import type { Config } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { inPages } from "../../platform/jobs/run-each.ts";
import type { Log } from "../../platform/log/log.ts";
import { creditPayment } from "./credit-payment.ts";
import {
  listLostPayments,
  listMistakes,
  listPaymentsToCollect,
  listReturnedPayments,
} from "./list-credits-to-settle.ts";
import { keepCredit, takeBackCredit, takeBackMistake } from "./take-back-credit.ts";
import { valueDeposits } from "./value-deposits.ts";

const chains: WalletChain[] = ["bitcoin", "ethereum"];
const atOnce = 200;
/** What is left then goes on with the next pass, so that other jobs get their turn. */
const passLastsMs = 20_000;
/** A source that was not asked for so long may have left the chain that we know. */
const askedWithinMs = 15 * 60_000;

interface Context {
  db: Db;
  config: Pick<Config, "confirmations" | "internalEtherUnits">;
  log: Log;
}

/**
 * Brings the ledger to what the chains say: credits payments that have their confirmations, takes back what left the
 * chain, and values what had no price. While a chain's source cannot be used, nothing of it is credited or taken back, but for what
 * staff approved by mistake, which no chain decides. Each
 * payment is a transaction of its own. One that cannot be settled is postponed with its reason, so that it keeps no other waiting
 * however many there are; staff are told when one waits for long.
 */
export async function settlePayments(context: Context, now: Date): Promise<void> {
  const { db } = context;
  await takeBackMistakes(context, now);
  for (const chain of chains) {
    if (!(await isUsable(db, chain, now))) continue;
    await settleChain(context, chain, now);
  }
  await valueDeposits(context, now);
}

async function takeBackMistakes({ db, log }: Context, now: Date): Promise<void> {
  const until = performance.now() + passLastsMs;
  for await (const { id: depositId } of inPages((after) =>
    listMistakes(db, { after, limit: atOnce }),
  )) {
    if (performance.now() > until) return;
    await takeBackMistake(db, { depositId, now }).catch((error: unknown) => {
      log.error({ depositId, err: error }, "a mistaken approval could not be taken back");
    });
  }
}

async function isUsable(db: Db, chain: WalletChain, now: Date): Promise<boolean> {
  const source = await findSource(db, chain);
  if (source?.health !== "following") return false;
  return now.getTime() - source.askedAt.getTime() <= askedWithinMs;
}

async function settleChain(context: Context, chain: WalletChain, now: Date): Promise<void> {
  const { db, config } = context;
  const until = performance.now() + passLastsMs;
  const page = { now, limit: atOnce };
  const takeBack = (paymentId: string) => tryToTakeBack(context, paymentId, now);
  await walk(
    context,
    { until, now },
    {
      list: () => listReturnedPayments(db, chain, page),
      settle: ({ paymentId }) => keepCredit(db, { paymentId, now }),
    },
  );
  await walk(
    context,
    { until, now },
    {
      list: () => listPaymentsToSettle(db, chain, { needed: config.confirmations, ...page }),
      settle: (payment) => {
        const { paymentId, isSettled } = payment;
        if (isSettled) return takeBack(paymentId);
        const needed = confirmationsNeeded(config.confirmations[payment.asset], payment);
        const { internalEtherUnits } = config;
        return creditPayment(db, { paymentId, needed, internalEtherUnits, now });
      },
    },
  );
  await walk(
    context,
    { until, now },
    {
      list: () => listLostPayments(db, chain, page),
      settle: ({ paymentId }) => takeBack(paymentId),
    },
  );
  await walk<{ paymentId: string; depositId: string }>(
    context,
    { until, now },
    {
      list: (last) =>
        listPaymentsToCollect(db, chain, { after: last?.depositId ?? null, limit: atOnce }),
      settle: ({ paymentId }) => takeBack(paymentId),
    },
  );
}

/** What cannot be taken back whole waits for more coins: `listPaymentsToCollect`. */
async function tryToTakeBack({ db }: Context, paymentId: string, now: Date): Promise<void> {
  const { isWhole } = await takeBackCredit(db, { paymentId, now });
  if (!isWhole) await postponePayment(db, { paymentId, refusal: "deposits/coins-were-used", now });
}

interface Walk<T> {
  /** The next ones, after the last that was done. */
  list(last: T | null): Promise<T[]>;
  settle(payment: T): Promise<void>;
}

/** Settles page after page, to the end or until it is time for others. No payment is tried twice in one pass. */
async function walk<T extends { paymentId: string }>(
  { db, log }: Context,
  { until, now }: { until: number; now: Date },
  { list, settle }: Walk<T>,
): Promise<void> {
  const tried = new Set<string>();
  for (let last: T | null = null; ; ) {
    const page: T[] = await list(last);
    const fresh = page.filter(({ paymentId }) => !tried.has(paymentId));
    for (const payment of fresh) {
      if (performance.now() > until) return;
      const { paymentId } = payment;
      tried.add(paymentId);
      await settle(payment).catch(async (error: unknown) => {
        const refusal = error instanceof Refusal ? error.code : "deposits/unexpected-error";
        if (error instanceof Refusal)
          log.debug({ paymentId, refusal }, "a payment cannot be settled");
        else log.error({ paymentId, err: error }, "a payment could not be settled");
        await postponePayment(db, { paymentId, refusal, now });
      });
    }
    last = page.at(-1) ?? null;
    if (fresh.length === 0 || page.length < atOnce) return;
  }
}
