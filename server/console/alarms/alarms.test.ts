import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { type LateFact, lateAdvice } from "#core/late.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { listAlarms } from "./list-alarms.ts";
import { endSilence, silenceAlarms } from "./silence-alarms.ts";
import { tellAlarms } from "./tell-alarms.ts";
import { tellBesideWorker } from "./watch-alarms.ts";

const product = await testApp({ BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" });
const { db, owner, app } = product;
const { config } = app;
const staff = (role: "owner" | "treasurer" | "support") =>
  createTestOperator(db, { role, canAct: true, firstName: role });
const [olga, tessa, sam] = [await staff("owner"), await staff("treasurer"), await staff("support")];
const begin = new Date("2027-03-01T12:00:00Z");
let clock = 0;
/** What a worker's schedule and the chain's node said last, in minutes of this test. */
const world = { worker: true, node: "following", isAsked: true, withoutPrice: [] as string[] };

const at = (minutes: number) => new Date(begin.getTime() + minutes * 60_000);
async function sets(now: Date): Promise<void> {
  const { node, isAsked, withoutPrice } = world;
  if (world.worker) {
    await owner.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('a', $1, $1)
       on conflict (identifier) do update set last_execution = excluded.last_execution`,
      [now],
    );
  }
  // What was queued has left.
  await owner.query("delete from graphile_worker._private_jobs");
  await owner.query(
    "update mails set state = 'sent', sent_at = now(), sent_via = 'outbox' where state = 'queued'",
  );
  await owner.query(
    `insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', $1, '', $2, $2)
     on conflict (chain) do update set health = excluded.health,
       asked_at = case when $3 then excluded.asked_at else chain_sources.asked_at end,
       since = case when chain_sources.health = excluded.health then chain_sources.since else excluded.since end`,
    [node, now, isAsked],
  );
  await owner.query(
    `insert into market_assets (asset, asked_at, answered, agreed, trouble, since)
     select asset, $1, 0, 0, case when asset = any ($2) then 'too-few-sources' end, $1 from unnest('{BTC,ETH}'::text[]) asset
     on conflict (asset) do update set asked_at = excluded.asked_at, trouble = excluded.trouble`,
    [now, withoutPrice],
  );
}
/** A minute for each run of the job. */
async function passes(minutes: number): Promise<void> {
  for (const end = clock + minutes; clock < end; clock += 1) {
    await sets(at(clock));
    await tellAlarms({ db, config, now: at(clock) });
  }
}
async function mailsTo({ id }: { id: string }): Promise<Array<{ subject: string; text: string }>> {
  const { rows } = await owner.query(
    "select subject, body_text as text from mails where user_id = $1 and template = 'alarm' order by id",
    [id],
  );
  return rows;
}
const subjects = async (person: { id: string }) =>
  (await mailsTo(person)).map(({ subject }) => subject);

beforeEach(async () => {
  Object.assign(world, { worker: true, node: "following", isAsked: true, withoutPrice: [] });
  // What the test before began is over, told, and long ago.
  await passes(20);
  clock += 7 * 60;
  await owner.query("delete from mails");
});

test("a node that is away is told once to those who may act, with what to do, again in a day, and its end too", async () => {
  world.node = "unreachable";
  await passes(3);
  expect(await mailsTo(olga)).toEqual([]);
  await passes(57);
  const [mail, ...others] = await mailsTo(tessa);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("Bitcoin node: cannot be reached");
  expect(mail?.text).toContain(lateAdvice.chain);
  expect(mail?.text).toMatch(/Since 1 Mar 2027, \d\d:\d\d UTC\./);
  expect(mail?.text).toContain(`${config.appUrl}/operator/health`);
  expect(await subjects(olga)).toEqual(await subjects(tessa));
  expect(await subjects(sam)).toEqual([]);
  clock += 24 * 60;
  await passes(2);
  expect((await mailsTo(olga)).map(({ text }) => text.includes("as we told you"))).toEqual([
    false,
    true,
  ]);
  world.node = "following";
  await passes(9);
  expect(await subjects(olga)).toHaveLength(2);
  await passes(4);
  expect((await subjects(olga)).at(-1)).toBe("Over: Bitcoin node: cannot be reached");
  await passes(60);
  expect(await subjects(olga)).toHaveLength(3);
});

test("what comes and goes is one alarm, and what is over within three minutes is no mail", async () => {
  world.node = "unreachable";
  await passes(2);
  world.node = "following";
  await passes(30);
  expect(await subjects(olga)).toEqual([]);
  for (let n = 0; n < 6; n += 1) {
    world.node = n % 2 === 0 ? "unreachable" : "following";
    await passes(5);
  }
  expect(await subjects(olga)).toHaveLength(1);
  await passes(10);
  expect(await subjects(olga)).toHaveLength(2);
});

test("two processes tell it once, and one mail says all that is due to a person", async () => {
  world.node = "unreachable";
  await passes(3);
  const told = { db, config: { ...config, prices: { ...config.prices, sources: [{} as never] } } };
  await sets(at(clock));
  for (let n = 0; n < 5; n += 1, clock += 1) {
    await sets(at(clock));
    await owner.query("update market_assets set asked_at = $1", [at(clock - 60)]);
    await Promise.all([1, 2, 3].map(() => tellAlarms({ ...told, now: at(clock) })));
  }
  expect(await subjects(tessa)).toEqual(["Bitcoin node: cannot be reached"]);
  expect(await subjects(olga)).toEqual([
    "Bitcoin node: cannot be reached",
    "We no longer ask the exchanges for prices",
  ]);
  world.node = "following";
  await passes(15);
  expect(await subjects(olga)).toHaveLength(3);
  expect((await subjects(olga)).at(-1)).toBe("Over: Bitcoin node: cannot be reached, and 1 more");
});

test("a node that is found to lie is told although it was away before", async () => {
  world.node = "unreachable";
  await passes(5);
  world.node = "lying";
  await passes(5);
  expect((await subjects(olga)).at(-1)).toBe("Bitcoin node: says what cannot be");
});

test("what passes by itself and comes again has to last; a lie is told again at once", async () => {
  for (const node of ["lying", "following", "lying"]) {
    world.node = node;
    await passes(15);
  }
  expect(await subjects(olga)).toEqual([
    "Bitcoin node: says what cannot be",
    "Over: Bitcoin node: says what cannot be",
    "Bitcoin node: says what cannot be",
  ]);
});

test("a node that is not asked stays late when the worker that should ask is gone as well", async () => {
  world.isAsked = false;
  await passes(20);
  expect(await subjects(olga)).toEqual(["Bitcoin: we no longer ask the node"]);
  for (const end = clock + 30; clock < end; clock += 1)
    await tellAlarms({ db, config, now: at(clock) });
  expect(await subjects(olga)).toEqual([
    "Bitcoin: we no longer ask the node",
    "No worker runs any more",
  ]);
});

test("each coin without a price is told, and none is over because of another", async () => {
  const sources = [{} as never];
  const coins = ["BTC", "ETH"] as const;
  const asking = { ...config, coins, prices: { ...config.prices, sources } };
  const passesAsking = async (minutes: number) => {
    for (const end = clock + minutes; clock < end; clock += 1) {
      await sets(at(clock));
      await tellAlarms({ db, config: asking, now: at(clock) });
    }
  };
  world.withoutPrice = ["BTC"];
  await passesAsking(20);
  world.withoutPrice = ["BTC", "ETH"];
  await passesAsking(20);
  world.withoutPrice = ["ETH"];
  await passesAsking(20);
  expect(await subjects(olga)).toEqual([
    "Exchanges give no price of BTC",
    "Exchanges give no price of ETH",
    "Over: Exchanges give no price of BTC",
  ]);
});

test("what is not asked any more is not over", async () => {
  world.node = "unreachable";
  await passes(5);
  for (const end = clock + 30; clock < end; clock += 1)
    await tellAlarms({ db, config, now: at(clock) });
  expect((await subjects(olga)).filter((each) => each.startsWith("Over"))).toEqual([]);
  expect((await subjects(olga)).slice(1)).toEqual(["No worker runs any more"]);
});

test("what waits for a worker is not over while none runs", async () => {
  const waits = () =>
    owner.query(
      "select graphile_worker.add_job('test/nobody-runs-this', job_key => 'waits', run_at => $1)",
      [at(clock - 10)],
    );
  for (const end = clock + 6; clock < end; clock += 1) {
    await sets(at(clock));
    await waits();
    await tellAlarms({ db, config, now: at(clock) });
  }
  expect(await subjects(olga)).toEqual(["1 job has not started"]);
  for (const end = clock + 30; clock < end; clock += 1) {
    await owner.query(
      "delete from graphile_worker._private_jobs where key is distinct from 'waits'",
    );
    await tellAlarms({ db, config, now: at(clock) });
  }
  expect((await subjects(olga)).filter((each) => each.startsWith("Over"))).toEqual([]);
});

test("what comes again and again is told again only once it lasts", async () => {
  for (let n = 0; n < 4; n += 1) {
    world.node = "unreachable";
    await passes(11);
    world.node = "following";
    await passes(12);
  }
  expect(await subjects(olga)).toHaveLength(2);
  world.node = "unreachable";
  await passes(32);
  expect(await subjects(olga)).toHaveLength(3);
});

test("what another version noted, and what no colleague may act on, keeps nothing else back", async () => {
  await owner.query(
    `insert into alarms (id, subject, kind, words, begun_at, seen_at, told_at)
     values (gen_random_uuid(), 'tea', 'tea', 'No tea', $1, $1, $1)`,
    [at(clock)],
  );
  world.node = "unreachable";
  await passes(20);
  expect(await subjects(olga)).toEqual(["Bitcoin node: cannot be reached"]);
  const { rows } = await owner.query(
    "select cleared_at is not null as cleared from alarms where kind = 'tea'",
  );
  expect(rows).toEqual([{ cleared: true }]);
  expect((await listAlarms(db, "owner", 100)).map(({ words }) => words)).not.toContain("No tea");
  const forContent = await listAlarms(db, "content", 100);
  expect(forContent.map(({ kind }) => kind)).not.toContain("chain");
});

test("during planned work nothing is told, and what still goes on is told afterwards", async () => {
  const plan = { hours: 2, reason: "New disks" };
  await silenceAlarms(db, olga, plan, at(clock));
  await expect(silenceAlarms(db, tessa, plan, at(clock))).rejects.toThrow("console/silent-already");
  world.node = "unreachable";
  await passes(119);
  expect(await subjects(olga)).toEqual([]);
  await passes(2);
  expect(await subjects(olga)).toHaveLength(1);
  await silenceAlarms(db, olga, plan, at(clock));
  world.node = "following";
  await passes(30);
  expect(await subjects(olga)).toHaveLength(1);
  const { rows } = await owner.query(
    "select id from alarm_silences order by begun_at desc limit 1",
  );
  await endSilence(db, tessa, rows[0].id, at(clock));
  await endSilence(db, olga, rows[0].id, at(clock));
  await passes(1);
  expect(await subjects(olga)).toHaveLength(2);
});

test("where no worker runs, a process that answers HTTP tells it and sends the mail itself; what the worker does is not told as well", async () => {
  const web = { ...app, now: () => at(clock) };
  await tellBesideWorker(web);
  world.worker = false;
  clock += 10;
  for (let n = 0; n < 8; n += 1, clock += 1) {
    await owner.query("delete from graphile_worker._private_jobs");
    await tellBesideWorker(web);
  }
  const { rows } = await owner.query(
    "select subject, state, sent_via from mails where template = 'alarm'",
  );
  expect(rows).toEqual([{ subject: "No worker runs any more", state: "sent", sent_via: "outbox" }]);
  expect(readdirSync(`${config.dataDir}/outbox`)).toHaveLength(1);
  world.worker = true;
  await passes(15);
  expect((await subjects(olga)).at(-1)).toBe("Over: No worker runs any more");
});

test("the page of operating says the same as the mail of every kind", async () => {
  const page = await readFile("docs/operating/alarms.md", "utf8");
  for (const [kind, advice] of Object.entries(lateAdvice) as Array<[LateFact["kind"], string]>)
    expect(page, kind).toContain(advice);
});
