import pg from "pg";
import { expect, test } from "vitest";
import { fillBooks } from "#tests/factories/filled-books.ts";
import { isLong } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { openDatabase } from "../../platform/database.ts";
import { openLog } from "../../platform/log/log.ts";
import { sql } from "../../platform/sql.ts";

const { db, owner, applicationUrl } = await testDatabase();
await fillBooks({ db, owner, files: testFiles() });

/** What a setting may be set to, that is strange. Enumerations and numbers take all they have, or their ends. */
const strange: Record<string, string[]> = {
  DateStyle: ["German", "SQL, DMY", "SQL, MDY", "Postgres, DMY", "Postgres, MDY", "ISO, DMY"],
  TimeZone: ["Pacific/Kiritimati", "Etc/GMT+12", "America/Sao_Paulo"],
  search_path: ["pg_temp, graphile_worker, pg_catalog, public", "graphile_worker"],
  lc_time: ["C.UTF-8"],
  client_encoding: ["LATIN1", "SQL_ASCII"],
  default_text_search_config: ["german"],
  timezone_abbreviations: ["Australia", "India"],
};

/**
 * What the planner chooses, the network and vacuum do, PostgreSQL logs, and how much memory or time something may take changes no
 * text: each is tried in a long run.
 */
const ofText =
  /^(?!cpu_|debug_|enable_|geqo|io_|jit|log_|max_parallel|min_parallel|tcp_|trace_|vacuum_).*(?<!_cost|_limit|_mem|_timeout)$/;

interface Setting {
  name: string;
  vartype: string;
  enumvals: string[] | null;
  min_val: string | null;
  max_val: string | null;
  setting: string;
}

function strangeValues({ name, vartype, enumvals, ...of }: Setting): string[] {
  if (strange[name]) return strange[name];
  if (vartype === "bool") return [of.setting === "on" ? "off" : "on"];
  if (vartype === "enum") return enumvals ?? [];
  if (vartype === "string") return ["x"];
  return [of.min_val, of.max_val].filter((value) => value !== null);
}

/** One of each kind that a day's text is part of the key of, on two days that no two orders of day and month say alike. */
async function listFacts(): Promise<Fact[]> {
  const { rows } = await owner.query<Fact>(`
    select distinct on (kind, split_part(key, ':', 4)) key, kind, owner_id, day::text, source, memo, legs::text
      from ledger_transfers where key ~ ':\\d{4}-\\d\\d-\\d\\d' order by kind, split_part(key, ':', 4), day desc`);
  return rows;
}

interface Fact {
  key: string;
  kind: string;
  owner_id: string;
  day: string;
  source: string;
  memo: string;
  legs: string;
}

const post = `select post_transfer(gen_random_uuid(), $1, $2, $3, $4::date, '2026-07-01T00:00:00Z', $5, $6, $7::ledger_leg[])`;

/** The key as a function would have made it that trusted its session. */
const rekeyed = "select replace($1::text, $2::text, $2::text::date::text) as key";

/** How many transfers a session makes of a fact that is posted already. */
async function postAgain(client: pg.Client, fact: Fact): Promise<number> {
  const day = /\d{4}-\d\d-\d\d/.exec(fact.key)?.[0] ?? "";
  await client.query("begin");
  try {
    const made = (await client.query(rekeyed, [fact.key, day])).rows[0].key;
    const body = [fact.kind, fact.owner_id, fact.day, fact.source, fact.memo, fact.legs];
    for (const key of new Set([fact.key, made])) {
      await client.query("savepoint before");
      await client.query(post, [key, ...body]).catch(() => client.query("rollback to before"));
    }
    const { rows } = await client.query(
      "select count(*)::integer as count from ledger_transfers where created_at = now()",
    );
    return rows[0].count;
  } finally {
    await client.query("rollback");
  }
}

/** In a connection of its own: some settings end it, and what was under way. */
async function tryAll(facts: Fact[], setting: string, value: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: applicationUrl });
  client.on("error", () => {});
  const twice: string[] = [];
  try {
    await client.connect();
    await client.query("set role assay_app");
    await client.query("select set_config($1, $2, false)", [setting, value]);
    for (const fact of facts) {
      const count = await postAgain(client, fact);
      if (count > 0) twice.push(`${fact.kind} with ${setting} = ${value}`);
    }
  } catch {
    // A value that this setting does not take, or a session that can ask nothing any more.
  } finally {
    await client.end().catch(() => {});
  }
  return twice;
}

test("whatever a session sets, nothing of a day is posted twice", async () => {
  const { rows: settings } = await owner.query<Setting>(
    "select * from pg_settings where context = 'user' order by name",
  );
  expect(settings.length).toBeGreaterThan(100);
  const facts = await listFacts();
  expect(new Set(facts.map(({ kind }) => kind))).toEqual(
    new Set([
      ...["contract-day", "inactivity-fee", "maintenance-fee", "mining-correction"],
      ...["mining-credit", "operator-share", "rounding-carry"],
    ]),
  );
  const twice: string[] = [];
  for (const setting of settings) {
    if (!isLong && !ofText.test(setting.name)) continue;
    // What has nothing to do with days or letters is tried with each kind of transfer in a long run alone.
    const tried = isLong || strange[setting.name] ? facts : facts.slice(0, 1);
    for (const value of strangeValues(setting)) {
      twice.push(...(await tryAll(tried, setting.name, value)));
    }
  }
  expect(twice).toEqual([]);
});

test("the product's own connections read days alike, whatever the database is set to", async () => {
  const { rows } = await owner.query("select quote_ident(current_database()) as name");
  for (const set of [
    "datestyle = 'German'",
    "intervalstyle = 'iso_8601'",
    "timezone = 'Asia/Tokyo'",
  ])
    await owner.query(`alter database ${rows[0].name} set ${set}`);
  const other = openDatabase(applicationUrl, openLog("silent"), { connections: 1 });
  const said = await other.execute(
    sql`select '2026-03-01'::date::text as day, '3 days'::interval::text as days, current_setting('timezone') as zone`,
  );
  await other.$client.end();
  expect(said.rows).toEqual([{ day: "2026-03-01", days: "3 days", zone: "UTC" }]);
});

test("every function that acts with other rights, and every trigger's, settles what a session may set", async () => {
  const pinned = [
    ...["search_path=pg_catalog, public, pg_temp", "DateStyle=ISO, MDY", "TimeZone=UTC"],
    ...["IntervalStyle=postgres", "extra_float_digits=1", "bytea_output=hex"],
    ...["standard_conforming_strings=on", "transform_null_equals=off", "array_nulls=on"],
  ];
  const { rows } = await owner.query(
    `select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace and (p.prosecdef or p.prorettype = 'trigger'::regtype)
        and not (coalesce(p.proconfig, '{}') @> case when p.proname in ('ledger_post', 'ledger_refuse_sent') then ($1::text[])[:1] else $1::text[] end)
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    [pinned],
  );
  expect(rows).toEqual([]);
});
