import { randomUUID } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { HDKey } from "@scure/bip32";
import { p2wpkh } from "@scure/btc-signer";
import { bitcoinNetworks } from "../../core/wallet/derive-address.ts";
import type { App } from "../../server/app-context.ts";
import { addTotp, removeTotp } from "../../server/identity/mfa/change-mfa.ts";
import { beginTotp } from "../../server/identity/mfa/set-up-totp.ts";
import { totpCode, totpStep } from "../../server/identity/mfa/totp.ts";
import { sessions } from "../../server/identity/schema.ts";
import { openSession } from "../../server/identity/sessions/open-session.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { sealTransfers } from "../../server/ledger/seal-transfers.ts";
import { desc, eq, sql } from "../../server/platform/sql.ts";
import { publishProofDays } from "../../server/proof/publish-days.ts";
import { addAddress } from "../../server/withdrawals/add-address.ts";
import { followBatches } from "../../server/withdrawals/batches/follow-batches.ts";
import { formBatch } from "../../server/withdrawals/batches/form-batch.ts";
import { listVersions } from "../../server/withdrawals/batches/list-versions.ts";
import { orderBroadcast } from "../../server/withdrawals/batches/order-broadcast.ts";
import { sendVersion } from "../../server/withdrawals/batches/send-version.ts";
import { uploadSigned } from "../../server/withdrawals/batches/upload-signed.ts";
import { planBitcoinBatch } from "../../server/withdrawals/bitcoin/plan-batch.ts";
import { askForCoins, scanCoins } from "../../server/withdrawals/bitcoin/scan-coins.ts";
import { cancelWithdrawal } from "../../server/withdrawals/cancel-withdrawal.ts";
import { confirmWithdrawal } from "../../server/withdrawals/confirm-withdrawal.ts";
import { approveWithdrawal, rejectWithdrawal } from "../../server/withdrawals/decide-withdrawal.ts";
import { expireUnconfirmed } from "../../server/withdrawals/expire-unconfirmed.ts";
import { placeHold } from "../../server/withdrawals/hold-withdrawal.ts";
import { offeredTerms } from "../../server/withdrawals/offered-terms.ts";
import { requestWithdrawal } from "../../server/withdrawals/request-withdrawal.ts";
import { coinScans } from "../../server/withdrawals/schema.ts";
import type { DemoChain } from "./demo-chain.ts";
import { demoBrowser } from "./demo-people.ts";
import type { DemoDays, DemoEvent } from "./demo-timeline.ts";
import { addPrice } from "./fill-demo-mining.ts";

interface Context {
  app: App;
  chain: DemoChain;
  days: DemoDays;
  /** Who decides, and who prepares. */
  olga: Operator;
  pavel: Operator;
  idOf(email: string): string;
}

/** Withdrawals that ended in every way, and some that wait at every step. */
export function withdrawalEvents(context: Context): DemoEvent[] {
  const { days, idOf } = context;
  const [ada, nadia, tomas, ines, liam] = ["ada", "nadia", "tomas", "ines", "liam"].map((name) =>
    idOf.bind(null, `${name}@example.com`),
  ) as [Who, Who, Who, Who, Who];
  const wallets = [ada, nadia, tomas, ines, liam].flatMap((who, i) =>
    readyToWithdraw(context, who, { daysAgo: [40, 42, 33, 28, 19][i] ?? 40, index: i }),
  );
  const w = (who: Who, sats: bigint, asked: Date) =>
    new SampleWithdrawal(context, who, sats, asked);
  const settled = [
    w(ada, 400_000n, days.at(20, "10:05")),
    w(nadia, 250_000n, days.at(20, "16:40")),
  ];
  const returned = w(tomas, 180_000n, days.at(13, "09:30"));
  const rejected = w(tomas, 120_000n, days.at(10, "12:00"));
  const cancelled = w(ada, 300_000n, days.at(8, "18:15"));
  const forgotten = w(ines, 90_000n, days.at(6, "08:20"));
  const sent = w(nadia, 150_000n, days.at(2, "13:10"));
  const batched = w(ines, 110_000n, days.at(2, "15:00"));
  const approved = w(tomas, 140_000n, days.at(1, "11:30"));
  const held = w(liam, 100_000n, days.at(1, "12:45"));
  const confirmed = w(liam, 80_000n, days.at(1, "16:00"));
  const marks = w(tomas, 85_000n, days.at(2, "17:30"));
  const requested = w(nadia, 95_000n, days.minutesAgo(17));
  return [
    ...wallets,
    { at: days.at(3, "19:00"), happen: (at) => removeMfa(context, ada(), at) },
    ...settled.flatMap((each) => [...each.untilConfirmed(), each.isApproved(60)]),
    ...batch(context, days.at(19, "09:00"), "settles"),
    ...returned.untilConfirmed(),
    returned.isApproved(90),
    ...batch(context, days.at(12, "09:00"), "is overtaken"),
    ...rejected.untilConfirmed(),
    rejected.isRejected(200, "Demo: the account was reported as taken over, so we sent nothing."),
    cancelled.isRequested(),
    cancelled.isCancelled(35),
    forgotten.isRequested(),
    { at: days.at(5, "08:30"), happen: (at) => expireUnconfirmed(context.app.db, at) },
    ...sent.untilConfirmed(),
    sent.isApproved(45),
    ...batched.untilConfirmed(),
    ...batch(context, days.at(1, "09:00"), "is sent"),
    { ...batched.isApproved(0), at: days.at(1, "09:40") },
    ...batch(context, days.at(1, "10:20"), "is formed"),
    ...approved.untilConfirmed(),
    ...marks.untilConfirmed(),
    { ...marks.isApproved(0), at: days.at(1, "17:00") },
    // It carries the day's hash.
    { at: days.minutesAgo(155), happen: () => publishDay(context.app) },
    ...batch(context, days.minutesAgo(150), "settles"),
    { ...approved.isApproved(0), at: days.minutesAgo(60) },
    ...held.untilConfirmed(),
    held.isApproved(20),
    held.isHeld(40, "Demo: the new address belongs to another of our customers. We are asking."),
    ...confirmed.untilConfirmed(),
    requested.isRequested(),
  ];
}

type Who = () => string;

class SampleWithdrawal {
  readonly #context: Context;
  readonly #who: Who;
  readonly #sats: bigint;
  readonly #asked: Date;
  #id = "";

  constructor(context: Context, who: Who, sats: bigint, asked: Date) {
    this.#context = context;
    this.#who = who;
    this.#sats = sats;
    this.#asked = asked;
  }

  #later(minutes: number, happen: DemoEvent["happen"]): DemoEvent {
    return { at: new Date(this.#asked.getTime() + minutes * 60_000), happen };
  }

  isRequested(): DemoEvent {
    return this.#later(0, async (at) => {
      const { app } = this.#context;
      const customerId = this.#who();
      await addPrice(app, this.#context.days, new Date(at.getTime() - 60_000));
      const request = { customerId, requestKey: randomUUID(), amount: this.#sats, isFinal: false };
      const known = { terms: offeredTerms(app.config), browser: demoBrowser, site: app.config };
      const addressId = await findAddress(app, customerId);
      const made = await requestWithdrawal(app.db, { ...request, addressId, ...known }, at);
      this.#id = made.withdrawalId;
    });
  }

  untilConfirmed(): DemoEvent[] {
    return [
      this.isRequested(),
      this.#later(4, async (at) => {
        const { app } = this.#context;
        const token = await tokenInMail(app, this.#who());
        await confirmWithdrawal(app.db, { token, browser: demoBrowser }, at);
      }),
    ];
  }

  isApproved(minutes: number): DemoEvent {
    const { app, olga } = this.#context;
    return this.#later(minutes, (at) => approveWithdrawal(app.db, olga, this.#id, at));
  }

  isRejected(minutes: number, reason: string): DemoEvent {
    const { app, olga } = this.#context;
    return this.#later(minutes, (at) =>
      rejectWithdrawal(app.db, olga, { withdrawalId: this.#id, reason }, at),
    );
  }

  isCancelled(minutes: number): DemoEvent {
    const { app } = this.#context;
    return this.#later(minutes, (at) =>
      cancelWithdrawal(
        app.db,
        { customerId: this.#who(), withdrawalId: this.#id, browser: demoBrowser },
        at,
      ),
    );
  }

  isHeld(minutes: number, reason: string): DemoEvent {
    const { app, olga } = this.#context;
    return this.#later(minutes, (at) => {
      const endsAt = new Date(at.getTime() + 6 * 86_400_000);
      return placeHold(app.db, olga, { withdrawalId: this.#id, reason, endsAt }, at);
    });
  }
}

/** As the worker does with a day that is over. */
export async function publishDay({ db, now }: App): Promise<void> {
  await sealTransfers(db, now());
  await publishProofDays(db);
}

/** An authenticator app, and the address of a wallet elsewhere. */
function readyToWithdraw(
  context: Context,
  who: Who,
  { daysAgo, index }: { daysAgo: number; index: number },
): DemoEvent[] {
  const { app, days } = context;
  return [
    { at: days.at(daysAgo, "20:00"), happen: (at) => addFactor(app, who(), at) },
    {
      at: days.at(daysAgo, "20:10"),
      happen: (at) => {
        const added = { coin: "BTC" as const, address: someAddress(index), label: "My own wallet" };
        const rules = { network: app.config.network, hotWalletAddress: null, usdtContract: null };
        const whose = { customerId: who(), browser: demoBrowser };
        return addAddress(app.db, { ...added, ...rules, ...whose }, at);
      },
    },
  ];
}

/** An address of a wallet whose key nobody wrote down. */
function someAddress(index: number): string {
  const { publicKey } = HDKey.fromMasterSeed(sha256(Uint8Array.of(index, 77)));
  const { address } = p2wpkh(publicKey ?? new Uint8Array(), bitcoinNetworks.regtest);
  if (!address) throw new Error("a key has an address");
  return address;
}

async function addFactor(app: App, userId: string, now: Date): Promise<void> {
  const actor = { ...(await signIn(app, userId, now, "password")), now };
  const begun = { userId, begunIn: actor.sessionId, now };
  const secret = await beginTotp(app.db, app.auth, begun);
  await addTotp(app, actor, totpCode(secret, totpStep(now)));
}

/** Ada's old telephone: the demo's visitor signs in as her with a password alone. */
async function removeMfa({ app }: Context, userId: string, now: Date): Promise<void> {
  await removeTotp(app, { ...(await signIn(app, userId, now, "totp")), now });
}

async function signIn(app: App, userId: string, now: Date, provedBy: "password" | "totp") {
  const { ipAddress: clientAddress, userAgent } = demoBrowser;
  const browser = { clientAddress, userAgent, cookieHeader: "" };
  const opening = {
    userId,
    kind: "customer",
    provedBy,
    rememberMe: false,
    knownDevice: true,
  } as const;
  await app.db.transaction((tx) => openSession(tx, app, { ...opening, ...browser, now }));
  const [session] = await app.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt))
    .limit(1);
  return { userId, sessionId: session?.id ?? "", clientAddress, userAgent };
}

async function findAddress(app: App, customerId: string): Promise<string> {
  const { rows } = await app.db.execute<{ id: string }>(
    sql`select id from withdrawal_addresses where customer_id = ${customerId}`,
  );
  return rows[0]?.id ?? "";
}

/** The link in the newest mail that asks to confirm. */
async function tokenInMail(app: App, customerId: string): Promise<string> {
  const { rows } = await app.db.execute<{ text: string }>(sql`
    select body_text as text from mails where user_id = ${customerId} and template = 'withdrawal-confirm'
     order by created_at desc, id desc limit 1`);
  return /confirm-withdrawal\?token=(\S+)/.exec(rows[0]?.text ?? "")?.[1] ?? "";
}

type End = "is formed" | "is sent" | "settles" | "is overtaken";

/** The day's batch: Pavel forms it and has it signed, Olga orders it; then the chain says how it ends. */
function batch(context: Context, from: Date, end: End): DemoEvent[] {
  const { app, chain, olga, pavel } = context;
  const { db, config } = app;
  const nodes = { bitcoin: chain.node, ethereum: null };
  const { network } = config;
  let batchId = "";
  const later = (minutes: number, happen: DemoEvent["happen"]): DemoEvent => ({
    at: new Date(from.getTime() + minutes * 60_000),
    happen,
  });
  const newest = async () => {
    const version = (await listVersions(db, batchId)).at(-1);
    if (!version) throw new Error("a batch has a version");
    return version;
  };
  const forms = later(0, async (at) => {
    await lookForCoins(context, at);
    // The one that is sent waits: no block of the demo takes so low a fee.
    const wanted = { feePerKvb: end === "is sent" ? 500 : 2_000, outpoints: [] };
    const place = { key: chain.key, node: chain.node, steps: config.confirmations.BTC };
    const plan = await planBitcoinBatch(db, { ...wanted, ...place }, at);
    const made = { submissionKey: randomUUID(), twoPeople: config.withdrawals.coins, plan };
    ({ batchId } = await formBatch(db, pavel, made, at));
  });
  const isSent = later(25, async (at) => {
    const { number, id, unsigned } = await newest();
    const signed = chain.sign(unsigned);
    await uploadSigned(db, pavel, { batchId, number, signed, network, nodes }, at);
    await orderBroadcast(db, olga, { batchId, number }, at);
    await sendVersion(db, { nodes, versionId: id }, at);
  });
  const isMined = later(70, async (at) => {
    const [anchor] = (await newest()).spends;
    if (end === "is overtaken" && anchor) chain.spendElsewhere(anchor, 17);
    await chain.mine(3, at);
    await followBatches(db, { nodes, network, finality: "finalized" }, () => at);
  });
  if (end === "is formed") return [forms];
  return end === "is sent" ? [forms, isSent] : [forms, isSent, isMined];
}

async function lookForCoins({ app, chain, pavel }: Context, now: Date): Promise<void> {
  await askForCoins(app.db, pavel, chain.key, now);
  const scans = await app.db.select().from(coinScans);
  const scanId = scans.find(({ finishedAt }) => finishedAt === null)?.id ?? "";
  await scanCoins(app.db, { node: chain.node, key: chain.key, scanId }, () => now);
}
