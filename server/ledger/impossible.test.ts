import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDeposit, aHold } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { reverseTransfer } from "./reverse-transfer.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { snapshotHouseBalances } from "./snapshot-house-balances.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const { db, owner } = await testDatabase({ documents: false });
const ada = randomUUID();
const eve = randomUUID();
let deposited = "";

beforeAll(async () => {
  deposited = (await postTransfer(db, aDeposit(ada, 1_000n))).transferId;
  await postTransfer(db, aHold(ada, 100n));
  await postTransfers(db, [aDeposit(eve, 50n), aDeposit(ada, 5n, { asset: "ETH" })]);
  await reverseTransfer(db, {
    transferId: (await postTransfer(db, aDeposit(ada, 7n))).transferId,
    key: "reversal",
    occurredAt: new Date(),
    memo: "",
  });
  await sealTransfers(db, new Date());
  await snapshotHouseBalances(db, 1);
  await postTransfer(db, aDeposit(eve, 1n));
});

// Every attempt below failed and changed nothing: the last word on each of them.
afterAll(async () => {
  expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
});

/** A transfer inserted by hand; the parts that a test spoils are given. */
function insertTransfer(part: {
  legs: string;
  key?: string;
  kind?: string;
  ownerId?: string;
  reverses?: string;
  count?: number;
  day?: string;
  occurredAt?: string;
}): string {
  const reverses = part.reverses ? `'${part.reverses}'` : "null";
  const row = `(gen_random_uuid(), '${part.key ?? ""}' || gen_random_uuid(), '${part.kind ?? "deposit"}',
    '${part.ownerId ?? ada}', ${part.day ?? "'2026-01-31'"}, ${part.occurredAt ?? "now()"}, 'test:hand', '', ${reverses}, '${part.legs}')`;
  return `insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
    values ${Array.from({ length: part.count ?? 1 }, () => row).join(", ")}`;
}

const house = "00000000-0000-0000-0000-000000000000";
const good = '{"(available,BTC,10)","(custody,BTC,-10)"}';
const byHand = `('${ada}', 1, 'available', 'BTC', 10, 99, 1010)`;

/** What no statement that writes rows can do, a superuser's included, and the rule that says so. */
const forbidden: [string, string, string][] = [
  [
    "a transfer whose legs do not sum to zero",
    "transfers_sum_to_zero",
    insertTransfer({ legs: '{"(available,BTC,10)","(custody,BTC,-9)"}' }),
  ],
  [
    "a transfer that is balanced only across assets",
    "transfers_sum_to_zero",
    insertTransfer({ legs: '{"(available,BTC,10)","(custody,ETH,-10)"}' }),
  ],
  [
    "a transfer of which only the second asset is balanced",
    "transfers_sum_to_zero",
    insertTransfer({ legs: '{"(available,BTC,10)","(available,ETH,5)","(custody,ETH,-5)"}' }),
  ],
  [
    "a transfer of not-a-numbers",
    "transfers_sum_to_zero",
    insertTransfer({ kind: "conversion", legs: '{"(available,BTC,NaN)","(conversion,BTC,NaN)"}' }),
  ],
  [
    "a transfer with a missing amount",
    "transfers_sum_to_zero",
    insertTransfer({ kind: "conversion", legs: '{"(available,BTC,)","(conversion,BTC,)"}' }),
  ],
  [
    "a transfer of nothing, with a missing amount",
    "transfers_sum_to_zero",
    insertTransfer({ kind: "conversion", legs: '{"(available,BTC,)","(conversion,BTC,0)"}' }),
  ],
  ["a transfer without legs", "a_transfer_has_two_sides", insertTransfer({ legs: "{}" })],
  [
    "a transfer with one leg",
    "a_transfer_has_two_sides",
    insertTransfer({ legs: '{"(available,BTC,10)"}' }),
  ],
  [
    "a leg that moves nothing",
    "an_entry_moves_something",
    insertTransfer({ kind: "conversion", legs: '{"(available,BTC,0)","(conversion,BTC,0)"}' }),
  ],
  [
    "two legs on one account",
    "legs_stand_in_order",
    insertTransfer({ legs: '{"(available,BTC,5)","(available,BTC,5)","(custody,BTC,-10)"}' }),
  ],
  ...[
    '[0:1]={"(available,BTC,10)","(custody,BTC,-10)"}',
    '[2:3]={"(available,BTC,10)","(custody,BTC,-10)"}',
    '{{"(available,BTC,10)","(custody,BTC,-10)"}}',
  ].map((legs): [string, string, string] => [
    `legs that are no list, ${legs}`,
    "legs_are_a_list_from_one",
    insertTransfer({ legs }),
  ]),
  [
    "a first leg without its account",
    "movements_are_listed",
    insertTransfer({ legs: '{"(,BTC,10)","(custody,ETH,-10)"}' }),
  ],
  [
    "a leg that is missing",
    "legs_stand_in_order",
    insertTransfer({ legs: '{NULL,"(available,BTC,10)","(custody,BTC,-10)"}' }),
  ],
  [
    "an account that is not in the chart",
    "movements_are_listed",
    insertTransfer({ legs: '{"(available,BTC,10)","(pocket,BTC,-10)"}' }),
  ],
  [
    "an asset that is no coin",
    "an_account_holds_a_coin",
    insertTransfer({ legs: '{"(available,USD,10)","(custody,USD,-10)"}' }),
  ],
  [
    "a kind that is not listed",
    "movements_are_listed",
    insertTransfer({ kind: "gift", legs: good }),
  ],
  [
    "a movement that its kind does not list: money from nowhere",
    "movements_are_listed",
    insertTransfer({ legs: '{"(available,BTC,10)","(operator_equity,BTC,-10)"}' }),
  ],
  [
    "a movement in the wrong direction",
    "movements_are_listed",
    insertTransfer({ legs: '{"(available,BTC,-10)","(custody,BTC,10)"}' }),
  ],
  [
    "a key that names another kind",
    "keys_are_of_the_kind_they_name",
    insertTransfer({ key: "hold:", legs: good }),
  ],
  [
    "a customer's account in a transfer of the house",
    "accounts_are_in_the_chart",
    insertTransfer({ ownerId: house, legs: good }),
  ],
  [
    "a customer below zero",
    "customers_never_below_zero",
    insertTransfer({ kind: "hold", legs: '{"(available,BTC,-99999)","(held,BTC,99999)"}' }),
  ],
  [
    "a customer below zero, among others",
    "customers_never_below_zero",
    insertTransfer({ kind: "hold", count: 2, legs: '{"(available,BTC,-600)","(held,BTC,600)"}' }),
  ],
  [
    "a movement of another kind",
    "movements_are_listed",
    insertTransfer({ kind: "goodwill", legs: good }),
  ],
  [
    "a reversal of nothing",
    "a_reversal_mirrors_its_transfer",
    insertTransfer({ kind: "reversal", reverses: randomUUID(), legs: good }),
  ],
  [
    "a reversal that is no mirror",
    "a_reversal_mirrors_its_transfer",
    `insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
     select gen_random_uuid(), 'no mirror', 'reversal', owner_id, day, now(), 'x', '', id,
            '{"(available,BTC,-999)","(custody,BTC,999)"}' from ledger_transfers where reverses is null limit 1`,
  ],
  [
    "a reversal of another customer's transfer",
    "a_reversal_mirrors_its_transfer",
    `insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
     select gen_random_uuid(), 'not mine', 'reversal', '${eve}', day, now(), 'x', '', id,
            ledger_mirror(legs) from ledger_transfers where owner_id = '${ada}' and kind = 'deposit' limit 1`,
  ],
  [
    "a second reversal",
    "one_reversal_per_transfer",
    `insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
     select gen_random_uuid(), 'twice', 'reversal', owner_id, day, now(), 'x', '', reverses, legs
       from ledger_transfers where reverses is not null limit 1`,
  ],
  [
    "a kind that pretends to reverse",
    "a_reversal_mirrors_its_transfer",
    `insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
     select gen_random_uuid(), 'pretends', 'deposit', owner_id, day, now(), 'x', '', id, ledger_mirror(legs)
       from ledger_transfers where reverses is null limit 1`,
  ],
  [
    "a reversal that names nothing",
    "movements_are_listed",
    insertTransfer({ kind: "reversal", legs: good }),
  ],
  [
    "the same key twice",
    "one_transfer_per_key",
    `insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
     select gen_random_uuid(), key, kind, owner_id, day, occurred_at, source, memo, legs from ledger_transfers where reverses is null limit 1`,
  ],
  [
    "an entry without its transfer",
    "entries_come_from_transfers",
    `insert into ledger_entries values ${byHand}`,
  ],
  [
    "a balance typed in",
    "balances_move_with_entries",
    `update ledger_accounts set balance = balance + 1000000 where owner_id = '${ada}'`,
  ],
  [
    "a balance given to another",
    "balances_move_with_entries",
    `update ledger_accounts set owner_id = '${eve}' where owner_id = '${ada}' and asset = 'ETH'`,
  ],
  [
    "an account that starts with money",
    "accounts_start_at_zero",
    `insert into ledger_accounts values ('${randomUUID()}', 'available', 'BTC', 5, 1)`,
  ],
  [
    "a customer who owns an account of the house",
    "accounts_are_in_the_chart",
    `insert into ledger_accounts values ('${ada}', 'custody', 'BTC', null, null)`,
  ],
  [
    "a running balance of the house",
    "accounts_are_in_the_chart",
    `insert into ledger_accounts values ('${house}', 'available', 'BTC', 0, 0)`,
  ],
  [
    "a second id for a transfer",
    "one_key_per_transfer",
    "insert into ledger_keys select number, kind, null, gen_random_uuid(), 'another' from ledger_keys limit 1",
  ],
  [
    "a customer's account without a balance",
    "only_customers_accounts_keep_a_balance",
    `insert into ledger_accounts values ('${ada}', 'held', 'USDT', null, null)`,
  ],
  [
    "a day that no calendar has",
    "a_day_is_in_the_calendar",
    insertTransfer({ legs: good, day: "'infinity'" }),
  ],
  [
    "a time before there was bitcoin",
    "a_time_is_in_the_calendar",
    insertTransfer({ legs: good, occurredAt: "'1999-01-31T00:00:00Z'" }),
  ],
  [
    "an account removed",
    "accounts_are_kept",
    `delete from ledger_accounts where owner_id = '${ada}'`,
  ],
  ["all accounts removed", "accounts_are_kept", "truncate ledger_accounts cascade"],
  ...[
    "ledger_transfer_kinds set debits = '{operator_equity}'",
    "ledger_account_kinds set owner = 'customer'",
  ].map((set): [string, string, string] => [
    "the chart changed",
    "the_chart_is_frozen",
    `update ${set}`,
  ]),
  [
    "a kind added",
    "the_chart_is_frozen",
    "insert into ledger_transfer_kinds values ('gift', '{operator_equity}', '{available}')",
  ],
  ...["transfers", "entries", "seals", "house_snapshots"].flatMap(
    (table): [string, string, string][] => {
      const name = `ledger_${table}`;
      const column = {
        transfers: "memo = 'x'",
        entries: "units = 1",
        seals: "sealed_at = now()",
        house_snapshots: "units = 1",
      }[table];
      return [
        [`${table} changed`, "the_ledger_is_append_only", `update ${name} set ${column}`],
        [
          `${table} changed where there are none`,
          "the_ledger_is_append_only",
          `update ${name} set ${column} where false`,
        ],
        [`${table} deleted`, "the_ledger_is_append_only", `delete from ${name}`],
        [`${table} emptied`, "the_ledger_is_append_only", `truncate ${name} cascade`],
        [
          `${table} merged away`,
          "the_ledger_is_append_only",
          `merge into ${name} t using (select 1) s on true when matched then delete`,
        ],
      ];
    },
  ),
];

/** The same of two transfers in one statement: one is posted leg by leg, two as a set. */
const forbiddenInSets = forbidden
  .filter(([, , sql]) => sql.startsWith("insert into ledger_transfers"))
  .map(([what, constraint, sql]): [string, string, string] => {
    const two = sql.replace(/limit 1$/, "limit 2").replace(/ values (\(.*\))$/s, " values $1, $1");
    return [what, constraint, two];
  });

describe("refused to the owner of the tables", () => {
  test.each(forbiddenInSets)("%s, two at once (%s)", async (_, constraint, sql) => {
    await expect(owner.query(sql)).rejects.toMatchObject({ constraint });
  });

  test.each(forbidden)("%s (%s)", async (_, constraint, sql) => {
    await expect(owner.query(sql)).rejects.toMatchObject({ constraint });
  });

  test.each(forbidden)("%s, also while pretending to be a replica", async (_, constraint, sql) => {
    const attempt = owner.query(`begin; set local session_replication_role = replica; ${sql}`);
    await expect(attempt).rejects.toMatchObject({ constraint });
  });

  const typed = `update ledger_accounts set balance = balance + 1000000 where owner_id = '${ada}'`;
  const own: [string, string, string, string][] = [
    ["another table", "balances_move_with_entries", "owners_own", typed],
    [
      "another table",
      "entries_come_from_transfers",
      "owners_own",
      `insert into ledger_entries values ${byHand}`,
    ],
    ["entries, while the posting writes", "balances_move_with_entries", "ledger_entries", typed],
    [
      "accounts, while the posting writes",
      "entries_come_from_transfers",
      "ledger_accounts",
      `insert into ledger_entries values ${byHand}`,
    ],
    ["transfers, beside the posting", "balances_move_with_entries", "ledger_transfers", typed],
  ];
  test.each(own)(
    "what a trigger of their own on %s would type (%s)",
    async (_, constraint, table, sql) => {
      const client = await owner.connect();
      try {
        await client.query(`begin;
        create table owners_own (n integer);
        create function owners_own() returns trigger language plpgsql as $$ begin ${sql}; return null; end $$;
        create trigger z_owners_own after insert or update on ${table} for each statement execute function owners_own()`);
        const reach =
          table === "owners_own"
            ? "insert into owners_own values (1)"
            : insertTransfer({ legs: good });
        await expect(client.query(reach)).rejects.toMatchObject({ constraint });
      } finally {
        await client.query("rollback");
        client.release();
      }
    },
  );

  test("what says that it is the posting, without its word", async () => {
    const attempt = owner.query(`begin; set local ledger.posting = '0'; ${typed}`);
    await expect(attempt).rejects.toMatchObject({ constraint: "balances_move_with_entries" });
  });
});

describe("refused to the application's role for want of the right", () => {
  test.each(forbidden.map(([what, , sql]) => [what, sql]))("%s", async (_, sql) => {
    await expect(db.$client.query(sql)).rejects.toThrow(/permission denied/);
  });

  test.each([
    ["a transfer, even a good one", insertTransfer({ legs: good })],
    ["a seal", "insert into ledger_seals default values"],
    ["a number skipped", "select nextval('ledger_transfer_numbers')"],
    ["a trigger switched off", "alter table ledger_entries disable trigger all"],
    ["a replica pretended", "set session_replication_role = replica"],
    [
      "a function replaced",
      "create or replace function ledger_post() returns trigger language plpgsql as 'begin return null; end'",
    ],
    ["a table created in the way", "create table public.ledger_entries_2 ()"],
    ["a customer locked", `select ledger_lock_customers('{${ada}}')`],
    ["the owner impersonated", "set role assay"],
  ])("%s", async (_, sql) => {
    await expect(db.$client.query(sql)).rejects.toThrow(/permission denied|must be owner/);
  });
});

test("operators that the application's role puts in the way are not used by the ledger's functions", async () => {
  // Only for this test is there a schema where the role can put an equality that says yes to everything.
  await owner.query("create schema lies; grant all on schema lies to assay_app");
  const client = await db.$client.connect();
  try {
    await client.query("begin");
    await client.query(
      "create function lies.lie(numeric, integer) returns boolean language sql as 'select true'",
    );
    await client.query(
      "create operator lies.>= (leftarg = numeric, rightarg = integer, function = lies.lie)",
    );
    await client.query(
      "create function lies.lie(numeric, numeric) returns boolean language sql as 'select false'",
    );
    await client.query(
      "create operator lies.<> (leftarg = numeric, rightarg = numeric, function = lies.lie)",
    );
    await client.query(
      "create temporary table ledger_transfer_kinds (kind text, debits text[], credits text[])",
    );
    await client.query(
      "insert into pg_temp.ledger_transfer_kinds values ('deposit', '{custody,operator_equity}', '{available}')",
    );
    await client.query("set local search_path = pg_temp, lies, public, pg_catalog");
    const legs = '{"(available,BTC,10)","(operator_equity,BTC,-10)"}';
    const attempt = client.query(
      "select public.post_transfer(gen_random_uuid(), 'lie', 'deposit', $1, '2026-01-31', now(), 'x', '', $2)",
      [ada, legs],
    );
    await expect(attempt).rejects.toMatchObject({ constraint: "movements_are_listed" });
  } finally {
    await client.query("rollback");
    client.release();
    await owner.query("drop schema lies");
  }
});

test("no function that writes with the owner's rights takes a time that never comes", async () => {
  const { rows } = await owner.query<{ name: string; types: string[] }>(`
    select p.proname as name, array_agg(a.type::regtype::text order by a.nth) as types
      from pg_proc p, unnest(p.proargtypes) with ordinality a (type, nth)
     where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.provolatile = 'v'
       and has_function_privilege('assay_app', p.oid, 'execute')
       -- The ledger's own rows refuse such a time.
       and p.proname not in ('post_transfer', 'post_transfers', 'reverse_transfer', 'claim_block', 'hash_block', 'seal_blocks')
     group by p.oid having array_agg(a.type) && '{timestamptz,ledger_time}'::regtype[]::oid[]`);
  expect(rows.length).toBeGreaterThan(10);
  for (const { name, types } of rows) {
    for (const time of ["infinity", "-infinity"]) {
      const given = types.map((type) =>
        ["timestamp with time zone", "ledger_time"].includes(type) ? `'${time}'` : `null::${type}`,
      );
      await expect(db.$client.query(`select ${name}(${given.join()})`), name).rejects.toMatchObject(
        { constraint: "a_time_is_in_the_calendar" },
      );
    }
  }
});

test("a customer's money cannot reach another customer in one transfer: no leg can name him", async () => {
  const { rows } = await owner.query(
    "select attname from pg_attribute where attrelid = 'ledger_leg'::regclass and attnum > 0",
  );
  expect(rows.map(({ attname }) => attname)).toEqual(["account", "asset", "units"]);
});

test("an act of the application that fails half-way leaves nothing", async () => {
  const client = new pg.Client({ ...db.$client.options });
  await client.connect();
  const key = `half:${deposited}`;
  await client.query("begin");
  await client.query(
    "select post_transfer(gen_random_uuid(), $1, 'deposit', $2, '2026-01-31', now(), 'x', '', $3)",
    [key, ada, good],
  );
  await client.end();
  const { rowCount } = await owner.query("select from ledger_transfers where key = $1", [key]);
  expect(rowCount).toBe(0);
});

test("every trigger fires also for who pretends to be a replica", async () => {
  const { rows } = await owner.query(`
    select t.tgrelid::regclass::text as "table", t.tgname as trigger from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and t.tgenabled <> 'A'
       and t.tgname <> 'transfers_have_their_document'`);
  expect(rows).toEqual([]);
});

test("no function with the owner's rights may be called by everybody, and triggers' functions by nobody", async () => {
  const { rows } = await owner.query(`
    select p.oid::regprocedure::text as name from pg_proc p cross join unnest('{public,assay_app}'::text[]) role
     where p.pronamespace = 'public'::regnamespace and has_function_privilege(role, p.oid, 'execute')
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       and (p.prosecdef and role = 'public' or p.prorettype = 'trigger'::regtype)`);
  expect(rows).toEqual([]);
});
