import { randomBytes, randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { isUuid } from "#core/is-uuid.ts";
import { toDecimal } from "#core/money.ts";
import { amountFault, dueDay, withdrawalTerms } from "#core/payments/withdrawal.ts";
import { tierLimits } from "#core/people/kyc-tiers.ts";
import { valueInUsdCents } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { hashToken } from "../identity/registration/issue-link.ts";
import type { Browser } from "../identity/settings/settings.ts";
import { getKyc } from "../kyc/get-kyc.ts";
import { requireResidence } from "../kyc/require-residence.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { findFreshPrice } from "../markets/find-fresh-price.ts";
import { pinPrice } from "../markets/pin-price.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { countRequest } from "./count-requests.ts";
import { lockRequests } from "./final-payments.ts";
import { confirmMail } from "./mails.ts";
import type { OfferedTerms } from "./offered-terms.ts";
import { refusals } from "./refusals.ts";
import { withdrawalAddresses, withdrawals } from "./schema.ts";
import { sumWithdrawnUsdCents } from "./sum-withdrawn.ts";
import { subjectOf } from "./withdrawal.ts";

export interface WithdrawalRequest {
  customerId: string;
  /** Minted with the form. The same key is the same withdrawal, however often it arrives. */
  requestKey: string;
  /** Of the customer's address book. */
  addressId: string;
  /** Of the address's coin, in its smallest unit: what leaves the balance, the fee among it; `all` of what is available. */
  amount: bigint | "all";
  /** The last payment of an account that is being closed: all, without fee, minimum and limit; of each coin once in `finalPaymentDays`. */
  isFinal: boolean;
  /** What applies to each coin that can be withdrawn. */
  terms: OfferedTerms;
  browser: Browser;
  site: Site;
}

/**
 * Asks for a withdrawal: the amount is put aside at once, and a mail asks to confirm address and amount. Nothing leaves
 * before that. The same request again is answered as the first was.
 *
 * Requests of one customer wait for each other.
 *
 * @throws Refusal `withdrawals/request-key-reused`, `withdrawals/no-such-address`, `withdrawals/not-offered`, `withdrawals/below-minimum`,
 * `withdrawals/too-small-to-send`, `ledger/insufficient-balance`, `withdrawals/above-tier`, `withdrawals/no-price`,
 * `withdrawals/mfa-needed`, `withdrawals/account-frozen`, `withdrawals/money-stays`,
 * `withdrawals/credit-taken-back`, `withdrawals/address-refused-ether`, `withdrawals/account-closed`, `withdrawals/not-closing`,
 * `withdrawals/final-lately`, and as `requireResidence` does
 * @throws TooManyAttempts
 */
export async function requestWithdrawal(
  db: Db,
  request: WithdrawalRequest,
  now: Date,
): Promise<{ withdrawalId: string; repeated: boolean }> {
  return refusedBy(refusals, () => db.transaction((tx) => take(tx, request, now)));
}

async function take(tx: Tx, request: WithdrawalRequest, now: Date) {
  const { customerId, isFinal } = request;
  await lockRequests(tx, customerId);
  const first = await findFirst(tx, request);
  if (first) return { withdrawalId: first, repeated: true };
  await countRequest(tx, "requests", customerId, now);
  // Before the balance, as whoever buys a contract does.
  await lockCustomer(tx, customerId);
  await requireResidence(tx, customerId, { evenWhereNotServed: isFinal });
  const to = await getAddress(tx, request);
  const { asset } = to;
  const terms = request.terms[asset];
  if (!terms) throw new Refusal("withdrawals/not-offered");
  const { available } = (await getBalances(tx, customerId))[asset];
  const units = request.amount === "all" ? available : request.amount;
  const feeUnits = isFinal ? 0n : terms.feeUnits;
  const fault = amountFault(asset, units, { ...terms, available, feeUnits, isFinal });
  if (fault) {
    throw new Refusal(
      fault === "insufficient-balance" ? "ledger/insufficient-balance" : `withdrawals/${fault}`,
    );
  }
  const value = await valueWithinTier(tx, { customerId, asset, units, isFinal }, now);
  const payment = { ...to, units, feeUnits, ...value };
  return { withdrawalId: await insert(tx, request, payment, now), repeated: false };
}

async function findFirst(tx: Tx, request: WithdrawalRequest): Promise<string | null> {
  const { customerId, requestKey, addressId, amount, isFinal } = request;
  const w = withdrawals;
  const [first] = await tx
    .select()
    .from(w)
    .where(and(eq(w.customerId, customerId), eq(w.requestKey, requestKey)));
  if (!first) return null;
  const [to] = isUuid(addressId)
    ? await tx
        .select({ address: withdrawalAddresses.address, asset: withdrawalAddresses.asset })
        .from(withdrawalAddresses)
        .where(eq(withdrawalAddresses.id, addressId))
    : [];
  const same =
    to?.address === first.address &&
    to.asset === first.asset &&
    first.isFinal === isFinal &&
    (amount === "all" ? first.takesAll : !first.takesAll && first.units === amount);
  if (!same) throw new Refusal("withdrawals/request-key-reused");
  return first.id;
}

async function getAddress(tx: Tx, { customerId, addressId }: WithdrawalRequest) {
  const a = withdrawalAddresses;
  const [found] = isUuid(addressId)
    ? await tx
        .select({ asset: a.asset, address: a.address, label: a.label, payableFrom: a.usableFrom })
        .from(a)
        .where(and(eq(a.id, addressId), eq(a.customerId, customerId), isNull(a.removedAt)))
        .for("share")
    : [];
  if (!found) throw new Refusal("withdrawals/no-such-address");
  return found;
}

/** What it is worth now, and whether the customer's level allows so much within 30 days. */
async function valueWithinTier(
  tx: Tx,
  wanted: { customerId: string; asset: Coin; units: bigint; isFinal: boolean },
  now: Date,
) {
  const { customerId, asset, units, isFinal } = wanted;
  const price = await findFreshPrice(tx, asset, now);
  const usdCents = price ? valueInUsdCents(units, asset, price.usdE8) : null;
  const { level } = await getKyc(tx, customerId, now);
  const most = tierLimits[level].withdrawalsUsdCents;
  if (most !== null) {
    // Who is verified does not wait for exchanges; who has a limit in dollars needs to know what they are.
    if (usdCents === null) throw new Refusal("withdrawals/no-price");
    // A final payment has no limit, and counts for whoever stays after all.
    if (!isFinal && (await sumWithdrawnUsdCents(tx, customerId, now)) + usdCents > most) {
      throw new Refusal("withdrawals/above-tier");
    }
  }
  if (price) await pinPrice(tx, price);
  return { usdCents, priceId: price?.priceId ?? null };
}

interface Payment {
  asset: Coin;
  address: string;
  label: string;
  payableFrom: Date;
  units: bigint;
  feeUnits: bigint;
  usdCents: bigint | null;
  priceId: string | null;
}

async function insert(tx: Tx, request: WithdrawalRequest, payment: Payment, now: Date) {
  const { customerId, requestKey, amount, isFinal, browser, site } = request;
  const { label, ...kept } = payment;
  const { asset, units, address } = payment;
  const id = randomUUIDv7();
  const { transferId } = await postTransfer(tx, {
    kind: "withdrawal-request",
    key: `withdrawal-request:${id}`,
    ownerId: customerId,
    day: utcDay(now),
    occurredAt: now,
    source: subjectOf(id),
    memo: `To ${address}`,
    legs: [
      { account: "available", asset, owner: customerId, units: -units },
      { account: "held", asset, owner: customerId, units },
    ],
  });
  const token = randomBytes(32).toString("base64url");
  const confirmBy = new Date(now.getTime() + withdrawalTerms.confirmLinkHours * 3_600_000);
  const dueOn = dueDay(now, payment.payableFrom);
  await tx.insert(withdrawals).values({
    id,
    customerId,
    requestKey,
    ...kept,
    takesAll: amount === "all",
    isFinal,
    requestedAt: now,
    dueOn,
    confirmTokenSha256: hashToken(token),
    confirmBy,
    requestTransferId: transferId,
  });
  const customer = await findCustomer(tx, customerId);
  if (!customer) throw new Error(`no customer ${customerId}`);
  const url = `${site.appUrl}/confirm-withdrawal?token=${token}`;
  const letter = { firstName: customer.firstName, url, dueOn, ...payment };
  const content = confirmMail(site, letter);
  await queueMail(tx, { to: customer.email, userId: customerId, now, content });
  await recordAccountEvent(tx, {
    userId: customerId,
    event: "withdrawal-requested",
    by: "self" as const,
    now,
    detail: { amount: `${toDecimal(units, asset)} ${asset}`, address },
    ...browser,
  });
  return id;
}
