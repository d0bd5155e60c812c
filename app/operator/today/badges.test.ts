import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listWork } from "#server/console/today/list-work.ts";
import { type Work, type WorkKind, withoutOwn, workKinds } from "#server/console/today/work.ts";
import { agreeToTestimonial } from "#server/content/agree-to-testimonial.ts";
import { inviteTestimonial } from "#server/content/invite-testimonial.ts";
import { changeStaff } from "#server/identity/staff/change-staff.ts";
import { enqueue } from "#server/platform/jobs/jobs.ts";
import { enterCount } from "#server/reconciliation/enter-count.ts";
import { confirmWithdrawal } from "#server/withdrawals/confirm-withdrawal.ts";
import { requestWithdrawal } from "#server/withdrawals/request-withdrawal.ts";
import { proposeGift } from "#tests/factories/adjustment.ts";
import { openTestWallet, seePayment, testAddress } from "#tests/factories/chain.ts";
import { aCount } from "#tests/factories/count.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestSubmission } from "#tests/factories/kyc.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import {
  aRequest,
  confirmToken,
  createApprovedWithdrawal,
  createBitcoinPrice,
  createUnsentBatch,
  createWithdrawer,
  nobodysBrowser,
} from "#tests/factories/withdrawal.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const now = new Date();
const longAgo = new Date(now.getTime() - 30 * 3_600_000);
const grace = await createTestOperator(db, { canAct: true });
const alan = await createTestOperator(db, { firstName: "Alan", lastName: "Turing", canAct: true });
const cookie = await signInAs(product, alan);
const ada = await createTestCustomer(db);

/** Rows that no factory makes in a few lines, as they would stand after nodes, pools or days had done their part. */
async function plant(statements: string): Promise<void> {
  const tables = statements.matchAll(/(?:insert into|update) ([a-z_]+) /g);
  const unguarded = [...tables].map(([, table]) => `alter table ${table} disable trigger user;`);
  const all = [...unguarded.filter((each) => !each.includes("graphile")), statements].join(" ");
  await owner.query(`begin; set local session_replication_role = replica; ${all}; commit`);
}

async function arrange(): Promise<void> {
  for (const minute of [1, 2]) {
    await createTestDeposit(app, {
      customerId: ada.id,
      now: new Date(now.getTime() - minute * 60_000),
    });
  }
  const orphaned = await createTestDeposit(app, {
    customerId: ada.id,
    approvedBy: grace,
    quantityUnits: 500_000n,
  });
  const mistaken = await createTestDeposit(app, {
    customerId: ada.id,
    approvedBy: grace,
    quantityUnits: 500_000n,
  });

  const customer = await createWithdrawer(db, { now: longAgo });
  const { withdrawalId, batchId } = await createUnsentBatch(db, { customer, operator: grace });
  const second = await createWithdrawer(db, { now: longAgo });
  await createApprovedWithdrawal(db, { customer: second, operator: grace, now: longAgo });
  const third = await createWithdrawer(db, { now: longAgo });
  await createBitcoinPrice(db, new Date(now.getTime() - 1000));
  await requestWithdrawal(db, aRequest(third), now);
  const token = await confirmToken(db, third.id);
  await confirmWithdrawal(db, { token, browser: nobodysBrowser }, now);

  await proposeGift(app, alan, ada.id, { units: 1n });
  await proposeGift(app, grace, ada.id, { units: 1n });
  await enterCount(db, grace, await aCount(app, grace, { units: 1n, asOf: longAgo }), now);

  const wallet = await openTestWallet(db, grace);
  const address = await testAddress(db, wallet, ada.id);
  const [refused, arrived] = [await seePayment(db, address), await seePayment(db, address)];

  const poolId = await createTestPool(db, grace);
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  const units = 200_000_000n;
  await createTestPayout(db, grace, { poolId, day: yesterday, units });
  await createTestPayout(db, grace, { poolId, day: "2026-01-02", units });

  await createTestSubmission(app, ada.id);
  await createTestThread(db, { email: ada.email });
  const invitation = { email: "new@example.com", firstName: "New", lastName: "Hand" };
  await changeStaff(
    db,
    grace,
    { kind: "invite", ...invitation, role: "support" },
    { site: app.config, now },
  );
  for (const words of ["It works as the receipts say, every day.", null]) {
    const { id } = await createTestCustomer(db);
    await inviteTestimonial(db, grace, { customerId: id, invitation: "", site: app.config }, now);
    if (words === null) continue;
    const said = { words, shownName: "A. B.", role: "", image: "none" as const };
    await agreeToTestimonial(
      db,
      { id, firstName: "A", lastName: "B" } as never,
      said as never,
      now,
    );
  }
  await enqueue(db, "test/fails", {});

  await plant(`
    update mails set state = 'failed', attempts = 25 where id in (select id from mails order by id limit 2);
    update graphile_worker._private_jobs as j set attempts = max_attempts
      from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'test/fails';
    update deposits set state = 'orphaned', orphaned_at = now() where id = '${orphaned.depositId}';
    insert into payment_resolutions (id, says, deposit_id, reason, proposed_by, proposed_by_act, proposed_at)
      values ('${randomUUID()}', 'mistaken', '${mistaken.depositId}', 'Not ours', '${grace.id}', '${randomUUID()}', now());
    update chain_payments set state = 'mined', block_height = 5, block_hash = 'ab', block_time = now(), refusals = 1,
      refusal = 'deposits/frozen', refused_at = now() where id = '${refused}';
    update chain_payments set customer_id = null where id = '${arrived}';
    insert into withdrawal_payments (withdrawal_id, batch_id, chain_id, hot_wallet, nonce, fault)
      values ('${withdrawalId}', '${batchId}', 1, '0x${"a".repeat(40)}', 0, 'The token announced another amount');
    insert into withdrawal_batches select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),
      'submission_key', gen_random_uuid(), 'formed_by_act', gen_random_uuid(), 'change_index', 99, 'state', 'broadcast',
      'broadcast_at', now()))).* from withdrawal_batches b;
    insert into withdrawal_batch_versions select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(),
      'batch_id', b.id, 'made_by_act', gen_random_uuid(), 'txid', md5(b.id::text)))).*
      from withdrawal_batch_versions v join withdrawal_batches b on b.id <> v.batch_id;
    insert into custody_days (day, asset, custody_units, accounts, noted_at)
      values (current_date - 1, 'ETH', 5, '{}', now());
    insert into custody_holdings (id, asset, units, as_of, source, custody_units, recorded_at)
      values ('${randomUUID()}', 'USDT', 5, now() - interval '1 day', 'watcher', 6, now());
    insert into mining_failures values ('${ada.id}', 'arrears', 'It failed', now(), 1, now(), null);
    insert into pool_pulls (pool_id, asked_at, ask_again_at, differences)
      values ('${poolId}', now(), now(), '[{"payoutId": "${randomUUID()}", "day": "2026-01-01", "sats": "1", "deliveredGhs": "1"}]')`);
}

/** How many rows the tables with these labels have. */
function rowsOf(html: string, labels: string[]): number {
  return labels.reduce((sum, label) => {
    const at = html.indexOf(`aria-label="${label}"`);
    if (at < 0) return sum;
    const body = html.slice(html.indexOf("<tbody", at), html.indexOf("</tbody>", at));
    return sum + (body.match(/<tr/g)?.length ?? 0);
  }, 0);
}

/** What stands for one piece of work on the page that its entry leads to. */
const rowsFor: Record<string, (html: string) => number> = {
  Deposits: (html) => rowsOf(html, ["Deposits waiting, oldest first"]),
  Withdrawals: (html) => rowsOf(html, ["Withdrawals, oldest first"]),
  Batches: (html) =>
    rowsOf(html, ["Batches that wait for staff"]) +
    (html.match(/>Due<\/dt><dd[^>]*>[1-9]\d* payments?</g)?.length ?? 0),
  Adjustments: (html) => rowsOf(html, ["Adjustments waiting, oldest first"]),
  Reconciliation: (html) =>
    rowsOf(html, ["Counts that wait, oldest first"]) +
    (html.match(/Count due/g)?.length ?? 0) +
    (html.match(/Explain the difference/g)?.length ?? 0),
  Chain: (html) =>
    rowsOf(html, [
      "Proposals about payments and deposits, oldest first",
      "Payments that cannot be credited, oldest first",
      "Credits that wait to be reversed",
    ]),
  Wallets: (html) => rowsOf(html, ["Arrived at your own addresses, newest first"]),
  Contracts: (html) => rowsOf(html, ["Customers who are set apart, the longest first"]),
  Payouts: (html) =>
    rowsOf(html, ["Payouts, newest day first"]) +
    (html.match(/Look, and correct it if the pool is right/g)?.length ?? 0),
  Verification: (html) => rowsOf(html, ["Verifications waiting, oldest first"]),
  Messages: (html) => rowsOf(html, ["Messages waiting, oldest first"]),
  Staff: (html) => html.match(/>Decline</g)?.length ?? 0,
  Content: (html) => rowsOf(html, ["Testimonials"]),
  Mail: (html) => rowsOf(html, ["Mail"]),
  Jobs: (html) => rowsOf(html, ["Jobs that were given up"]),
};

async function read(path: string): Promise<string> {
  const answer = await product.request(path, { cookie });
  expect(answer.status, path).toBe(200);
  return (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, "").replaceAll("<!-- -->", "");
}

/** The entries of the navigation that have a badge: where each leads, and its number. */
function badgesIn(html: string): Array<{ name: string; to: string; count: number }> {
  const nav = html.slice(html.indexOf('aria-label="Console"'), html.indexOf("</nav>"));
  const links = nav.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)<span [^>]*>(\d+) /g);
  return [...links].map(([, to = "", name = "", count]) => ({
    to: to.replaceAll("&amp;", "&"),
    name,
    count: Number(count),
  }));
}

test("each badge counts exactly the rows of the page that it leads to, and Today says the same", async () => {
  await arrange();
  const today = await read("/operator");
  const badges = badgesIn(today);
  for (const { name, to, count } of badges) {
    expect(rowsFor[name]?.(await read(to)), `${name} ${count}, which leads to ${to}`).toBe(count);
  }
  expect(badges.map(({ name }) => name).sort()).toEqual(Object.keys(rowsFor).sort());

  const work = await listWork(db, now);
  const seen = work.map(({ kind }) => kind);
  const notArranged: WorkKind[] = [
    ...([
      "batchesToSend",
      "batchEndings",
      "paymentExceptionResolutions",
      "payoutsToVouch",
    ] as const),
    ...(["reorgs", "reorgFindings"] as const),
  ];
  expect([...seen, ...notArranged].sort()).toEqual(Object.keys(workKinds).sort());
  const sum = work.reduce((all, { count }) => all + count, 0);
  expect(badges.reduce((all, { count }) => all + count, 0)).toBe(sum);
  // What Alan proposed himself waits for Grace; what both did is partly his.
  const adjustments = work.find(({ kind }) => kind === "adjustments") as Work;
  expect([adjustments.count, withoutOwn(adjustments, alan.id)?.count]).toEqual([2, 1]);
  // Of one that was sent already a version with a higher fee waits to be signed.
  expect(work.find(({ kind }) => kind === "batchesToSign")?.count).toBe(2);
  expect(today).toContain("2 deposits to review");
  expect(today).toContain("1 batch to form, with 1 payment");
  expect(today).toContain("Grace Hopper");
});

test("entries that share a page share its list: their work leads to one address", async () => {
  const byPage = new Map<string, Set<string>>();
  for (const { to } of Object.values(workKinds)) {
    const page = to.split("?")[0] ?? "";
    byPage.set(page, (byPage.get(page) ?? new Set()).add(to));
  }
  for (const [page, lists] of byPage) expect([...lists], page).toHaveLength(1);
});

test("a number that nobody could have counted to is not written out", async () => {
  const random = () => randomBytes(4).toString("hex");
  await plant(
    `insert into contact_threads (id, created_at, waiting_since, last_at, reference, sender_name, sender_email, subject, state)
     select gen_random_uuid(), now(), now(), now(), upper(substr(md5(n::text || '${random()}'), 1, 4) || '-' || substr(md5(n::text), 1, 4)),
            'A', 'a@example.com', 'Hello', 'open' from generate_series(1, 1200) n on conflict do nothing`,
  );
  expect(await read("/operator")).toContain("999+ messages to answer");
});
