import { randomUUID } from "node:crypto";
import type pg from "pg";
import { expect, test } from "vitest";
import { fillBooks } from "#tests/factories/filled-books.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";

const { db, owner } = await testDatabase();
await fillBooks({ db, owner, files: testFiles() });
const [maker, checker, other, gone] = [
  await createTestOperator(db),
  await createTestOperator(db),
  await createTestOperator(db),
  await createTestOperator(db),
];
await changeTestOperator(owner, gone.id, { state: "suspended" });

/** In a transaction that is taken back: as if nothing had been tried. */
async function trying<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect();
  try {
    await client.query("begin");
    return await run(client);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

async function anAct(client: pg.PoolClient, act: string, by: string | null, subject: string) {
  const id = randomUUID();
  await client.query(
    "insert into audit_log (id, act, operator_id, subject, occurred_at) values ($1, $2, $3, $4, now())",
    [id, act, by, subject],
  );
  return id;
}

/** By which constraint PostgreSQL refuses a statement, or what else is wrong with it; null: nothing. */
async function refusalOf(client: pg.PoolClient, text: string, values: unknown[]) {
  await client.query("savepoint tried");
  try {
    await client.query(text, values);
    return null;
  } catch (error) {
    await client.query("rollback to tried");
    const { constraint, message } = error as { constraint?: string; message: string };
    return constraint ?? message;
  }
}

async function insertOf(client: pg.PoolClient, table: string, row: Record<string, unknown>) {
  const columns = Object.keys(row).join(", ");
  const text = `insert into ${table} (${columns}) overriding system value select ${columns} from jsonb_populate_record(null::${table}, $1)`;
  return refusalOf(client, text, [JSON.stringify(row)]);
}

const { rows: named } = await owner.query<{ relation: string; args: string[] }>(
  `select tgrelid::regclass::text as relation, string_to_array(encode(tgargs, 'escape'), '\\000') as args
     from pg_trigger where tgfoid = 'guard_named_act'::regproc order by 1, 2`,
);

/** Columns whose table compares the act itself; the tests of the rooms, and those below, try them. */
const comparedElsewhere = [
  "adjustments.decided_by_act adjustments.proposed_by_act audit_chain.act_id chain_deep_reorgs.decided_by_act",
  "chain_deep_reorgs.proposed_by_act deposit_approvals.decided_by_act deposit_approvals.proposed_by_act content_pieces.created_by_act content_pieces.moved_by_act content_versions.act_id",
  "custody_counts.decided_by_act custody_counts.proposed_by_act custody_explanations.act_id customer_flags.lifted_by_act",
  "customer_flags.raised_by_act customer_views.act_id operators.changed_by_act operators.created_by_act",
  "outages.withdrawal_action_id payment_resolutions.decided_by_act payment_resolutions.proposed_by_act plan_versions.published_action_id",
  "plan_versions.retired_action_id plans.action_id pool_payouts.decision_action_id pool_payouts.proposal_action_id",
  "pools.stopped_action_id sites.changed_action_id staff_changes.decided_by_act staff_changes.ended_by_act",
  "staff_changes.proposed_by_act staff_notes.written_by_act kyc_reviews.act_id",
  "kyc_submissions.second_review_act wallets.compared_action_id withdrawal_abandonments.decided_by_act",
  "withdrawal_abandonments.proposed_by_act withdrawal_batch_versions.made_by_act withdrawal_batch_versions.ordered_by_act",
  "withdrawal_batch_versions.signed_by_act withdrawal_batches.formed_by_act withdrawal_holds.lifted_by_act",
  "withdrawal_holds.placed_by_act withdrawal_resolutions.decided_by_act withdrawal_resolutions.proposed_by_act",
  "withdrawals.approved_by_act",
].flatMap((line) => line.split(" "));

test("no column names an act without a comparison", async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.confrelid = 'audit_log'::regclass and c.contype = 'f'`,
  );
  const compared = named
    .map(({ relation, args }) => `${relation}.${args[0]}`)
    // Kept by months, which have no foreign keys.
    .filter((name) => !/^mails(_rest)?\./.test(name));
  expect([...new Set([...compared, ...comparedElsewhere])].sort()).toEqual(
    rows.map(({ name }) => name).sort(),
  );
});

test.each(named.map(({ relation, args }) => [`${relation}.${args[0]}`, relation, args] as const))(
  "%s takes no act of another name, on another subject or of another person",
  async (_, relation, args) => {
    const [column = "", acts = "", begins = "", ends = "", person = ""] = args;
    await trying(async (client) => {
      const { rows } = await client.query(
        "select tgname from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgfoid <> 'guard_named_act'::regproc",
        [relation],
      );
      for (const { tgname } of rows) {
        await client.query(`alter table ${relation} disable trigger "${tgname}"`);
      }
      const key = ends === "day" ? "2031-01-01" : randomUUID();
      const act = acts.split(" ")[0] ?? "";
      const subject = `${begins.split(" ")[0]}${ends && key}`;
      const insert = async (name: string, about: string, by = maker.id) =>
        insertOf(client, relation, {
          [column]: await anAct(client, name, by, about),
          ...(ends ? { [ends]: key } : {}),
          ...(person ? { [person]: maker.id } : {}),
        });
      const refused = "acts_are_what_they_are_named_for";
      expect(await insert("identity/renew-invitation", subject)).toBe(refused);
      expect(await insert(act, `${subject}x`)).toBe(refused);
      if (person) expect(await insert(act, subject, other.id)).toBe(refused);
      // What it lacks else is asked later.
      expect(await insert(act, subject)).not.toBe(refused);
    });
  },
);

interface Decided {
  table: string;
  /** What is copied, or made, without any guard: a proposal that waits. */
  row: Record<string, unknown>;
  copies?: string;
  confirms: [act: string, state: string];
  declines: [act: string, state: string];
  subject: (row: { id: string }) => string;
  /** What says that an act is not the one. */
  refused: string;
  column?: string;
}

const undecided = { state: "open", decided_by: null, decided_by_act: null, decided_at: null };
const withdrawalId = randomUUID();
const batchId = randomUUID();
const decided: Decided[] = [
  {
    table: "adjustments",
    copies: "state = 'approved' and kind = 'equity-drawing'",
    row: {
      ...undecided,
      transfer_id: null,
      submission_key: randomUUID(),
      evidence_id: randomUUID(),
      txid: "ab".repeat(32),
    },
    confirms: ["adjustments/approve", "approved"],
    declines: ["adjustments/reject", "rejected"],
    subject: ({ id }) => `adjustment:${id}`,
    refused: "adjustments_are_staff_acts",
  },
  {
    table: "payment_resolutions",
    copies: "state = 'confirmed'",
    row: undecided,
    confirms: ["deposits/confirm-resolution", "confirmed"],
    declines: ["deposits/decline-resolution", "declined"],
    subject: ({ id }) => `payment-resolution:${id}`,
    refused: "payment_resolutions_are_decided_by_staff_acts",
  },
  {
    table: "withdrawal_abandonments",
    copies: "state = 'confirmed'",
    row: { ...undecided, batch_id: batchId },
    confirms: ["withdrawals/confirm-abandonment", "confirmed"],
    declines: ["withdrawals/decline-abandonment", "declined"],
    subject: () => `withdrawal-batch:${batchId}`,
    refused: "abandonments_are_decided_by_staff_acts",
  },
  {
    table: "withdrawal_resolutions",
    row: { ...undecided, withdrawal_id: withdrawalId, txid: "0xab", says: "paid", reason: "Seen" },
    confirms: ["withdrawals/confirm-resolution", "confirmed"],
    declines: ["withdrawals/decline-resolution", "declined"],
    subject: () => `withdrawal:${withdrawalId}`,
    refused: "resolutions_are_decided_by_staff_acts",
  },
  {
    table: "chain_deep_reorgs",
    row: {
      ...undecided,
      chain: "bitcoin",
      reason: "The node was right",
      fork_height: 5,
      fork_hash: "c",
      old_height: 10,
      old_hash: "a",
      new_hash: "b",
    },
    confirms: ["chain/confirm-deep-reorg", "confirmed"],
    declines: ["chain/decline-deep-reorg", "declined"],
    subject: () => "chain:bitcoin",
    refused: "deep_reorgs_are_decided_by_staff_acts",
  },
  {
    table: "custody_counts",
    row: {
      ...undecided,
      asset: "BTC",
      units: 1,
      as_of: "2026-03-01",
      submission_key: randomUUID(),
      wallets: "Cold",
      evidence_id: randomUUID(),
    },
    confirms: ["reconciliation/confirm-count", "confirmed"],
    declines: ["reconciliation/reject-count", "rejected"],
    subject: ({ id }) => `count:${id}`,
    refused: "counts_are_staff_acts",
  },
];

/** A proposal of one person, and how another one decides it by an act. */
async function proposal(client: pg.PoolClient, of: Decided, proposer: string) {
  const id = randomUUID();
  await client.query(`alter table ${of.table} disable trigger all`);
  const copied = of.copies
    ? (
        await client.query(
          `select to_jsonb(t) as row from ${of.table} t where ${of.copies} limit 1`,
        )
      ).rows[0].row
    : {};
  const proposed_by_act = await anAct(client, "content/save-draft", proposer, "x");
  const by = { id, proposed_by: proposer, proposed_by_act, proposed_at: "2026-03-02" };
  expect(await insertOf(client, of.table, { ...copied, ...of.row, ...by })).toBeNull();
  await client.query(`alter table ${of.table} enable trigger all`);
  return async (
    [act, state]: [string, string],
    { by: person = checker.id, subject = of.subject({ id }) },
  ) => {
    const why = state === "rejected" ? ", rejection_reason = 'No'" : "";
    return refusalOf(
      client,
      `update ${of.table} set state = $2, decided_by = $3, decided_by_act = $4, decided_at = now()${why} where id = $1`,
      [id, state, checker.id, await anAct(client, act, person, subject)],
    );
  };
}

test.each(decided.map((of) => [of.table, of] as const))(
  "%s: what two people decide takes the second one's own act on it",
  async (_, of) => {
    await trying(async (client) => {
      const decide = await proposal(client, of, maker.id);
      const [, state] = of.confirms;
      expect(await decide(["content/save-draft", state], {})).toBe(of.refused);
      expect(await decide([of.declines[0], state], {})).toBe(of.refused);
      expect(await decide(of.confirms, { by: other.id })).toBe(of.refused);
      expect(await decide(of.confirms, { subject: "x" })).toBe(of.refused);
      const right = await decide(of.confirms, {});
      expect([of.refused, "who_proposed_is_on_the_staff"]).not.toContain(right);
    });
  },
);

test.each(decided.map((of) => [of.table, of] as const))(
  "%s: what somebody proposed who is suspended is declined, and never confirmed",
  async (_, of) => {
    await trying(async (client) => {
      const decide = await proposal(client, of, gone.id);
      expect(await decide(of.confirms, {})).toBe("who_proposed_is_on_the_staff");
      // The rows that it names are nowhere.
      expect((await decide(of.declines, {})) ?? "_fkey").toMatch(/_fkey$/);
    });
  },
);

test.each([
  [
    "made by another act",
    "content/save-draft",
    "x",
    () => checker.id,
    "large_payouts_need_two_people",
  ],
  [
    "confirmed on another",
    "payouts/confirm",
    "payout:x",
    () => checker.id,
    "large_payouts_need_two_people",
  ],
  ["confirmed by the same", "payouts/confirm", "", () => maker.id, "large_payouts_need_two_people"],
] as const)("a payout is not %s", async (_, act, subject, person, refused) => {
  await trying(async (client) => {
    const decide = await correction(client, maker.id);
    expect(await decide(act, subject, person())).toBe(refused);
  });
});

test("a payout of somebody who is suspended is refused, and never confirmed", async () => {
  await trying(async (client) => {
    const decide = await correction(client, gone.id);
    expect(await decide("payouts/confirm", "", checker.id)).toBe("who_proposed_is_on_the_staff");
    expect(await decide("payouts/refuse", "", checker.id)).toBeNull();
  });
});

/** A correction that waits. */
async function correction(client: pg.PoolClient, proposer: string) {
  const id = randomUUID();
  const { rows } = await client.query(
    `select to_jsonb(p) as row from pool_payouts p
      where p.state = 'recorded' and p.corrects is null and not exists (select from pool_payouts c where c.corrects = p.id) limit 1`,
  );
  const { row } = rows[0];
  await client.query("alter table pool_payouts disable trigger all");
  const proposal_action_id = await anAct(client, "payouts/correct", proposer, `payout:${id}`);
  const waiting = { id, corrects: row.id, correction_reason: "It was another", state: "proposed" };
  const undecided = { decided_at: null, recorded_at: null, decision_action_id: null };
  const none = { ...undecided, transfer_id: null, covered: false, unseen_reason: null };
  expect(
    await insertOf(client, "pool_payouts", { ...row, ...waiting, ...none, proposal_action_id }),
  ).toBeNull();
  await client.query("alter table pool_payouts enable trigger all");
  return async (act: string, subject: string, by: string) => {
    const isRefused = act === "payouts/refuse";
    return refusalOf(
      client,
      `update pool_payouts set state = $2, decided_at = now(), decision_action_id = $3, refusal_reason = $4, unseen_reason = $5 where id = $1`,
      [
        ...[id, isRefused ? "refused" : "recorded"],
        ...[await anAct(client, act, by, subject || `payout:${id}`), isRefused ? "No" : null],
        isRefused ? null : "Not here",
      ],
    );
  };
}

/** Steps of withdrawals: the row, whose subject it is, and what is written. */
const steps: Array<{
  what: string;
  act: string;
  from: string;
  subject: string;
  before: string;
  write: string;
  refused: string;
}> = [
  {
    what: "an approval",
    act: "withdrawals/approve",
    from: "withdrawals where approved_at is not null limit 1",
    subject: "'withdrawal:' || id",
    before:
      "update withdrawals set state = 'confirmed', approved_by = null, approved_by_act = null, approved_at = null, batch_id = null, broadcast_at = null, ended_at = null, ended_by = null, ended_by_act = null, end_transfer_id = null where id = $1",
    write:
      "update withdrawals set state = 'approved', approved_by = $2, approved_by_act = $3, approved_at = requested_at where id = $1",
    refused: "withdrawals_are_approved_by_staff_acts",
  },
  {
    what: "an order",
    act: "withdrawals/order-broadcast",
    from: "withdrawal_batch_versions limit 1",
    subject: "'withdrawal-batch:' || batch_id",
    before:
      "update withdrawal_batch_versions set raw = '\\x00', signed_by = made_by, signed_by_act = made_by_act, signed_at = made_at, ordered_by = null, ordered_by_act = null, ordered_at = null, sent_at = null where id = $1",
    write:
      "update withdrawal_batch_versions set ordered_by = $2, ordered_by_act = $3, ordered_at = now() where id = $1",
    refused: "versions_go_on_by_staff_acts",
  },
  {
    what: "a signed version",
    act: "withdrawals/upload-signed",
    from: "withdrawal_batch_versions limit 1",
    subject: "'withdrawal-batch:' || batch_id",
    before:
      "update withdrawal_batch_versions set ordered_by = null, ordered_by_act = null, ordered_at = null, sent_at = null, signed_by = null, signed_by_act = null, signed_at = null, raw = null where id = $1",
    write:
      "update withdrawal_batch_versions set raw = '\\x00', signed_by = $2, signed_by_act = $3, signed_at = now() where id = $1",
    refused: "versions_go_on_by_staff_acts",
  },
];

test.each(steps.map((step) => [step.what, step] as const))(
  "%s of a withdrawal takes that person's own act on it",
  async (_, { act, from, subject, before, write, refused }) => {
    await trying(async (client) => {
      const { rows } = await client.query(`select id, ${subject} as subject from ${from}`);
      const [row] = rows as [{ id: string; subject: string }];
      const [table = ""] = from.split(" ");
      await client.query(`alter table ${table} disable trigger all`);
      await client.query(before, [row.id]);
      await client.query(`alter table ${table} enable trigger all`);
      const tried = async (name: string, by: string, about: string) =>
        refusalOf(client, write, [row.id, checker.id, await anAct(client, name, by, about)]);
      expect(await tried("content/save-draft", checker.id, row.subject)).toBe(refused);
      expect(await tried(act, other.id, row.subject)).toBe(refused);
      expect(await tried(act, checker.id, "x")).toBe(refused);
      expect(await tried(act, checker.id, row.subject)).not.toBe(refused);
    });
  },
);

test.each([
  [
    "withdrawal_batch_versions",
    "made_by",
    "withdrawals/rebuild-batch",
    "withdrawal-batch:",
    "batch_id",
    { number: 2 },
    "versions_are_built_by_staff_acts",
  ],
  [
    "withdrawal_batches",
    "formed_by",
    "withdrawals/form-batch",
    "withdrawal-batch:",
    "id",
    { state: "formed", purpose: "withdrawals" },
    "batches_are_formed_by_staff_acts",
  ],
  [
    "withdrawal_holds",
    "placed_by",
    "withdrawals/place-hold",
    "withdrawal:",
    "withdrawal_id",
    {},
    "holds_are_staff_acts",
  ],
] as const)(
  "%s begin by the person's own act",
  async (table, column, act, begins, key, more, refused) => {
    await trying(async (client) => {
      const id = randomUUID();
      const tried = async (name: string, by: string, about: string) =>
        insertOf(client, table, {
          [key]: id,
          [column]: checker.id,
          ...more,
          [`${column}_act`]: await anAct(client, name, by, about),
        });
      const subject = `${begins}${id}`;
      expect(await tried("content/save-draft", checker.id, subject)).toBe(refused);
      expect(await tried(act, other.id, subject)).toBe(refused);
      expect(await tried(act, checker.id, "x")).toBe(refused);
      expect(await tried(act, checker.id, subject)).not.toBe(refused);
    });
  },
);
