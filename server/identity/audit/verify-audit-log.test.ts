import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { actAsOperator } from "./act-as-operator.ts";
import { verifyAuditLog } from "./verify-audit-log.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00.123Z");
const grace = await createTestOperator(db);
const ada = await createTestCustomer(db);

function act(detail: Record<string, string | number | null> = {}, wait = async () => {}) {
  return actAsOperator(
    db,
    { ...grace, requestId: "r-1" },
    { act: "mail/resend", subject: `mail:1`, customerId: ada.id, detail, now },
    wait,
  );
}

for (let count = 0; count < 5; count += 1)
  await act({ count, text: "Zoë: “5,00 €”\n", none: null });

async function head(): Promise<{ link: string; hash: string }> {
  const { rows } = await owner.query(
    "select link::text, encode(hash, 'hex') as hash from audit_chain order by audit_chain.link desc limit 1",
  );
  return rows[0];
}

/** What a verification finds wrong while the owner of the tables has done this, which is taken back afterwards. */
async function faultsAfter(tampering: string[], kept?: { link: string; hash: string }) {
  const client = await owner.connect();
  try {
    await client.query(`
      alter table audit_log disable trigger all;
      alter table audit_chain disable trigger all;
      create temporary table acts_before as table audit_log;
      create temporary table links_before as table audit_chain`);
    for (const statement of tampering) await client.query(statement);
    const faults = (await verifyAuditLog(db, kept)).filter(({ holds }) => !holds);
    return faults.map(({ detail }) => detail);
  } finally {
    await client.query(`
      delete from audit_chain;
      delete from audit_log;
      insert into audit_log overriding system value table acts_before;
      insert into audit_chain table links_before;
      drop table acts_before, links_before;
      alter table audit_log enable trigger all;
      alter table audit_chain enable trigger all;
      alter table audit_log enable always trigger the_audit_log_only_grows;
      alter table audit_log enable always trigger audit_log_is_chained;
      alter table audit_chain enable always trigger the_audit_log_only_grows`);
    client.release();
  }
}

test("every act is chained, and TypeScript computes the hashes that PostgreSQL did", async () => {
  const { link, hash } = await head();
  expect(await verifyAuditLog(db)).toEqual([
    expect.objectContaining({ holds: true, detail: `head ${link}:${hash}` }),
    ...[1, 2, 3].map(() => expect.objectContaining({ holds: true })),
  ]);
  const { rows } = await owner.query("select count(*)::text as acts from audit_log");
  expect(link).toBe(rows[0].acts);
});

test("acts that are committed at the same time form one chain, and none waits for another's work", async () => {
  const { link } = await head();
  let arrived = 0;
  let release = () => {};
  const everybodyIsThere = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Nobody would arrive behind somebody who holds the chain while he works.
  const meet = async () => {
    arrived += 1;
    if (arrived === 4) release();
    await everybodyIsThere;
  };
  await Promise.all(Array.from({ length: 4 }, () => act({}, meet)));
  await Promise.all(Array.from({ length: 20 }, () => act()));
  expect((await head()).link).toBe(String(Number(link) + 24));
  expect((await verifyAuditLog(db)).every(({ holds }) => holds)).toBe(true);
});

test("an act that is taken back leaves no gap", async () => {
  const before = await head();
  await expect(
    act({}, async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await act();
  expect((await head()).link).toBe(String(Number(before.link) + 1));
});

test("neither the application nor the owner can write links, or change them", async () => {
  for (const statement of [
    "insert into audit_chain select link + 1, act_id, hash, hash from audit_chain order by link desc limit 1",
    "update audit_chain set hash = previous_hash",
    "delete from audit_chain",
    "truncate audit_chain",
  ]) {
    await expect(db.$client.query(statement), statement).rejects.toThrow("permission denied");
  }
  for (const statement of [
    "update audit_chain set link = link",
    "delete from audit_chain",
    "truncate audit_chain",
  ]) {
    await expect(owner.query(statement), statement).rejects.toThrow("the audit log only grows");
  }
});

test("an act is chained in a session that pretends to be a replica, too", async () => {
  const { link } = await head();
  const session = await owner.connect();
  try {
    await session.query("begin; set local session_replication_role = replica");
    await session.query(
      "insert into audit_log (id, act, subject, occurred_at) values (uuidv7(), 'tests/replica', 'thing:1', now())",
    );
    await session.query("commit");
  } finally {
    session.release();
  }
  expect((await head()).link).toBe(String(Number(link) + 1));
});

const third = "(select act_id from audit_chain where link = 3)";

test.each([
  ["changes what an act says", `update audit_log set detail = '{"count": 9}' where id = ${third}`],
  ["changes who did it", `update audit_log set operator_id = null where id = ${third}`],
  [
    "changes when it was",
    `update audit_log set occurred_at = occurred_at + '1 us' where id = ${third}`,
  ],
  [
    "changes its place in the list",
    `with taken as (delete from audit_log where id = ${third} returning *)
     insert into audit_log overriding system value
     select id, 100000, act, operator_id, customer_id, subject, detail, request_id, occurred_at from taken`,
  ],
])("finds an owner who %s", async (_, statement) => {
  const [fault, ...others] = await faultsAfter([statement]);
  expect(fault).toMatch(/^link 3, the act [0-9a-f-]{36} \(.* is not as it was written$/);
  expect(others).toEqual([]);
});

test("finds an act that was deleted, alone or with its link", async () => {
  expect(await faultsAfter([`delete from audit_log where id = ${third}`])).toEqual([
    expect.stringMatching(/^link 3: the act [0-9a-f-]{36} is gone$/),
  ]);
  const both = [
    `delete from audit_log where id = ${third}`,
    "delete from audit_chain where link = 3",
  ];
  expect(await faultsAfter(both)).toEqual(["link 3 is missing"]);
  const closed = [
    ...both,
    "update audit_chain set link = link + 1000 where link > 3",
    "update audit_chain set link = link - 1001 where link > 1000",
  ];
  expect(await faultsAfter(closed)).toEqual([
    expect.stringMatching(/^link 3, the act .* does not follow from the link before$/),
  ]);
});

test("finds an act that was slipped in, beside the chain or into it", async () => {
  const insert =
    "insert into audit_log (id, act, subject, occurred_at) values ('00000000-0000-7000-8000-000000000001', 'tests/late', 'thing:9', now())";
  expect(await faultsAfter([insert])).toEqual([
    "1 without a link, first: the act 00000000-0000-7000-8000-000000000001 (tests/late on thing:9)",
  ]);
  const [fault] = await faultsAfter([
    insert,
    "update audit_chain set link = link + 1000 where link >= 3",
    "update audit_chain set link = link - 999 where link >= 1000",
    `insert into audit_chain select 3, '00000000-0000-7000-8000-000000000001', hash, sha256(hash) from audit_chain where link = 2`,
  ]);
  expect(fault).toContain("link 3, the act 00000000-0000-7000-8000-000000000001");
});

test("finds a tail that was cut off, against a head that was kept", async () => {
  const kept = await head();
  const cut = [
    `delete from audit_log where id = (select act_id from audit_chain where link = ${kept.link})`,
    `delete from audit_chain where link = ${kept.link}`,
  ];
  expect(await faultsAfter(cut)).toEqual([]);
  expect(await faultsAfter(cut, kept)).toEqual(["here it is missing"]);
});

test("finds a history that was computed anew from the first lie on, against a head that was kept", async () => {
  const kept = await head();
  const anew = `do $$ declare l audit_chain; a audit_log; previous bytea := decode(repeat('00', 32), 'hex'); begin
    for l in select * from audit_chain order by link loop
      select * into a from audit_log where id = l.act_id;
      update audit_chain set previous_hash = previous, hash = audit_hash(l.link, previous, a) where link = l.link
        returning hash into previous;
    end loop; end $$`;
  const lie = [`update audit_log set subject = 'mail:2' where id = ${third}`, anew];
  expect(await faultsAfter(lie)).toEqual([]);
  expect(await faultsAfter(lie, kept)).toEqual([
    expect.stringMatching(/^here it is [0-9a-f]{64}$/),
  ]);
  expect((await verifyAuditLog(db, kept)).every(({ holds }) => holds)).toBe(true);
});
