import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import type { Db } from "#server/platform/database.ts";
import { fillBooks } from "#tests/factories/filled-books.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { verifyApprovedDocuments } from "./verify-approved-documents.ts";

const { db, owner } = await testDatabase();
await fillBooks({ db, owner, files: testFiles() });

const find = async (on: Db) => (await verifyApprovedDocuments(on)).filter(({ holds }) => !holds);

/** Somebody of the staff of whom an act says so much. */
const anAct = (name: string, detail = "{}") =>
  `with who as (select id from operators order by created_at, id limit 1), act as (
     insert into audit_log (id, act, subject, detail, occurred_at)
     select gen_random_uuid(), '${name}', 'operator:' || id, '${detail}', now() from who returning id)`;
const changed = (set: string) =>
  `update operators o set ${set}, changed_by_act = act.id from act, who where o.id = who.id`;
const notStaff = /^the operator .* is not what the acts on them say$/;

test("books that were kept by the product's own acts are as they were approved", async () => {
  expect(await find(db)).toEqual([]);
});

/** What somebody with the owner's rights changes behind the triggers, and which document is named. */
const planted: Array<[what: string, statement: string, named: RegExp]> = [
  [
    "another amount of own money",
    "update adjustments set units = units + 1 where id = (select id from adjustments where state = 'approved' limit 1)",
    /^the adjustment .* is not the one that was approved$/,
  ],
  [
    "what two people said of a payment",
    "update payment_resolutions set says = 'customers' where id = (select id from payment_resolutions where state = 'confirmed' and says in ('operators', 'set-aside') limit 1)",
    /^the resolution .* is not the one that was confirmed$/,
  ],
  [
    "another payment in a resolution",
    `update resolved_payments set payment_id = (select id from chain_payments p where not exists (select from resolved_payments r where r.payment_id = p.id) limit 1)
      where resolution_id = (select id from payment_resolutions where state = 'confirmed' and says <> 'mistaken' limit 1)`,
    /^the resolution .* is not the one that was confirmed$/,
  ],
  [
    "another deposit that was approved by mistake",
    `update payment_resolutions set deposit_id = (select id from deposits where resolution_id is null and state = 'approved' limit 1)
      where id = (select id from payment_resolutions where says = 'mistaken' limit 1)`,
    /^the resolution .* is not the one that was confirmed$/,
  ],
  [
    "another hashrate of a payout",
    "update pool_payouts set delivered_ghs = delivered_ghs + 1000 where id = (select id from pool_payouts where state = 'recorded' limit 1)",
    /^the payout .* is not the one that was confirmed$/,
  ],
  [
    "another amount of a payout",
    "update pool_payouts set units = units + 1 where id = (select id from pool_payouts where state = 'recorded' limit 1)",
    /^the payout .* is not the one that was confirmed$/,
  ],
  ...[
    "quantity_units = quantity_units + 1",
    "txid = repeat('ab', 32)",
    "usd_cents = usd_cents + 1",
  ].map((set): [string, string, RegExp] => [
    `a deposit with another ${set.split(" ")[0]}`,
    `update deposits set ${set} where id = (select id from deposits where review_action_id is not null and state = 'approved' limit 1)`,
    /^the deposit .* is not the one that was approved$/,
  ]),
  [
    "a deposit that nobody approved",
    "update deposits set review_action_id = (select created_by_act from operators limit 1) where id = (select id from deposits where review_action_id is not null and state = 'approved' limit 1)",
    /^the deposit .* is not the one that was approved$/,
  ],
  ...["units = units + 1", "address = 'bcrt1qanother'"].map((set): [string, string, RegExp] => [
    `a withdrawal with another ${set.split(" ")[0]}`,
    `update withdrawals set ${set} where id = (select id from withdrawals where approved_at is not null limit 1)`,
    /^the withdrawal .* is not the one that was approved$/,
  ]),
  [
    "an owner by an act of another name",
    `${anAct("content/save-draft")} insert into operators (id, role, state, created_at, created_by_act, changed_by_act)
     select u.id, 'owner', 'active', now(), act.id, act.id from act, users u where u.email = 'eve@example.com'`,
    notStaff,
  ],
  [
    "an invitation named as the change",
    "update operators set changed_by_act = created_by_act where id = (select id from operators limit 1)",
    notStaff,
  ],
  [
    "a role that nobody gave",
    "update operators set role = case role when 'owner' then 'support' else 'owner' end where id = (select id from operators limit 1)",
    notStaff,
  ],
  [
    "a suspension that nobody said",
    "update operators set state = 'suspended', changed_by_act = created_by_act where id = (select id from operators limit 1)",
    notStaff,
  ],
  [
    "a suspension by a change of role",
    `${anAct("identity/change-role", '{"role": "owner"}')} ${changed("state = 'suspended'")}`,
    notStaff,
  ],
  [
    "a role by a suspension",
    `${anAct("identity/suspend-operator")} ${changed("state = 'suspended', role = 'content'")}`,
    notStaff,
  ],
  [
    "a suspension that was not carried out",
    `${anAct("identity/suspend-operator")} ${changed("state = 'active'")}`,
    notStaff,
  ],
  [
    "a reinstatement named as nothing",
    `${anAct("identity/reinstate-operator")} update operators o set role = o.role from act, who where o.id = who.id`,
    notStaff,
  ],
  [
    "a proposal to end a batch that nobody confirmed",
    `update withdrawal_abandonments set decided_by_act = proposed_by_act where state = 'confirmed'`,
    /^the proposal .* is not the one that was confirmed$/,
  ],
];

test.each(planted)("%s is found", async (_, statement, named) => {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query(
      `insert into users (id, kind, email, first_name, last_name, email_verified, created_at, updated_at)
       values ($1, 'operator', 'eve@example.com', 'Eve', 'Evil', true, now(), now())`,
      [randomUUID()],
    );
    for (const table of [
      "adjustments",
      "deposits",
      "operators",
      "pool_payouts",
      "withdrawals",
      "payment_resolutions",
      "resolved_payments",
      "withdrawal_abandonments",
    ])
      await client.query(`alter table ${table} disable trigger all`);
    expect((await client.query(statement)).rowCount).toBeGreaterThan(0);
    const inside = drizzle(client);
    const tampered = {
      transaction: (act: (tx: unknown) => unknown) => act(inside),
    } as unknown as Db;
    expect((await find(tampered))[0]?.detail).toMatch(named);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
