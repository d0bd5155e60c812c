import { afterAll, expect, test } from "vitest";
import { createTestOperator } from "#tests/factories/operator.ts";
import { hang, rss, rssItem, startFeedServer } from "#tests/fakes/feed-server.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { addSource, changeSource, readSourceNow, removeSource } from "./change-sources.ts";
import { listNews } from "./list-news.ts";
import { findSource, listItemsOfSource, listSources } from "./list-sources.ts";
import { readDueSources, readSource } from "./read-source.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const feeds = await startFeedServer();
afterAll(() => feeds.stop());

const now = new Date("2026-11-21T12:00:00Z");
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const rules = { allowLoopback: true };

const add = (path: string, name = path) =>
  addSource(db, grace, { name, url: feeds.url + path, enabled: true, ...rules }, now);
const read = (sourceId: string, at = now) => readSource(db, sourceId, { ...rules, now: at });
const titles = async (sourceId: string) =>
  (await listItemsOfSource(db, sourceId, 100)).map(({ title }) => title);

async function waiting(sourceId: string): Promise<number> {
  const { rows } = await owner.query(
    "select count(*)::int as count from graphile_worker.jobs where key = $1",
    [`news-source:${sourceId}`],
  );
  return rows[0].count;
}

test("a source is added once, by an act, and read at once", async () => {
  feeds.serve("/first", {
    body: rss(rssItem({ title: "One", guid: "1" })),
    headers: { etag: '"a"' },
  });
  const { sourceId } = await add("/first");
  expect(await add("/first", "again")).toEqual({ sourceId });
  expect(await waiting(sourceId)).toBe(1);
  await read(sourceId);
  expect(await titles(sourceId)).toEqual(["One"]);
  expect(await findSource(db, sourceId)).toMatchObject({
    name: "/first",
    failures: 0,
    succeededAt: now,
    nextReadAt: after(30),
    changedBy: "Grace Hopper",
    itemCount: 1,
  });
  const { rows } = await owner.query("select act from audit_log where subject = $1", [
    `news-source:${sourceId}`,
  ]);
  expect(rows).toEqual([{ act: "news/add-source" }]);
});

test("read again, what is known is one line with the newest words and its first time", async () => {
  const at = (title: string, day: string) =>
    rssItem({
      title,
      guid: "g",
      link: "https://news.example/again",
      pubDate: `${day} Nov 2026 10:00:00 GMT`,
    });
  feeds.serve("/again", { body: rss(at("Before", "19")) });
  const { sourceId } = await add("/again");
  await read(sourceId);
  feeds.serve("/again", { body: rss(at("After", "20")) });
  await read(sourceId, after(30));
  const items = await listItemsOfSource(db, sourceId, 10);
  expect(items).toMatchObject([
    { title: "After", publishedAt: new Date("2026-11-19T10:00:00Z"), firstSeenAt: now },
  ]);
});

test("a feed that calls everything anew each time, without dates, has nothing new", async () => {
  const anew = (reading: number) =>
    ["A", "B"].map((title) =>
      rssItem({ title, guid: `${title} ${reading}`, link: `https://news.example/anew-${title}` }),
    );
  feeds.serve("/anew", { body: rss(...anew(1)) });
  const { sourceId } = await add("/anew");
  await read(sourceId);
  feeds.serve("/anew", { body: rss(...anew(2)) });
  await read(sourceId, after(30));
  expect(await listItemsOfSource(db, sourceId, 10)).toMatchObject([
    { title: "A", firstSeenAt: now },
    { title: "B", firstSeenAt: now },
  ]);
});

test("a feed without dates never brings back as new what was forgotten", async () => {
  const page = (newest: number) =>
    Array.from({ length: 50 }, (_, i) =>
      rssItem({
        title: `${newest - i}`,
        guid: `dateless-${newest - i}`,
        link: `https://news.example/dateless-${newest - i}`,
      }),
    );
  feeds.serve("/dateless", { body: rss(...page(50)) });
  const { sourceId } = await add("/dateless");
  await read(sourceId);
  feeds.serve("/dateless", { body: rss(...page(52)) });
  await read(sourceId, after(30));
  expect((await titles(sourceId)).slice(0, 4)).toEqual(["52", "51", "50", "49"]);
});

test("an unchanged feed is asked for with its mark, and keeps what was read", async () => {
  feeds.serve("/marked", {
    misbehave(request, response) {
      const isKnown = request.headers["if-none-match"] === '"m"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"m"' });
      response.end(isKnown ? "" : rss(rssItem({ title: "Kept", guid: "k" })));
    },
  });
  const { sourceId } = await add("/marked");
  await read(sourceId);
  await read(sourceId, after(30));
  expect(feeds.requests.at(-1)?.headers["if-none-match"]).toBe('"m"');
  expect(await titles(sourceId)).toEqual(["Kept"]);
  expect(await findSource(db, sourceId)).toMatchObject({ succeededAt: after(30), failures: 0 });
});

test("a feed that fails keeps its news, says why, and is asked ever more rarely, at last once a day", async () => {
  feeds.serve("/failing", { body: rss(rssItem({ title: "Old", guid: "o" })) });
  const { sourceId } = await add("/failing");
  await read(sourceId);
  feeds.serve("/failing", { status: 500 });
  const pauses: number[] = [];
  for (let failure = 1; failure <= 8; failure += 1) {
    await read(sourceId, after(failure));
    const source = await findSource(db, sourceId);
    expect(source).toMatchObject({ failures: failure, lastFailure: "server-failed" });
    pauses.push(((source?.nextReadAt.getTime() ?? 0) - after(failure).getTime()) / 3_600_000);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 24, 24, 24]);
  expect(await titles(sourceId)).toEqual(["Old"]);
  feeds.serve("/failing", { body: rss(rssItem({ title: "New", guid: "n" })) });
  await read(sourceId, after(99));
  expect(await findSource(db, sourceId)).toMatchObject({ failures: 0, lastFailure: null });
});

test("a site that asks for a pause gets it, but no longer than a day", async () => {
  for (const [asked, hours] of [
    ["36000", 10],
    ["999999", 24],
  ] as const) {
    feeds.serve("/pause", { status: 429, headers: { "retry-after": asked } });
    const { sourceId } = await add("/pause");
    await read(sourceId);
    expect((await findSource(db, sourceId))?.nextReadAt).toEqual(after(hours * 60));
    await removeSource(db, grace, sourceId, now);
  }
});

test.each([
  [
    "/bomb",
    `<!DOCTYPE x [<!ENTITY a "b">]><rss version="2.0"><channel/></rss>`,
    "entities-refused",
  ],
  ["/page", "<html></html>", "not-a-feed"],
  ["/missing", undefined, "not-found"],
])("%s fails by name", async (path, body, reason) => {
  if (body) feeds.serve(path, { body });
  const { sourceId } = await add(path);
  await read(sourceId);
  expect(await findSource(db, sourceId)).toMatchObject({ lastFailure: reason, itemCount: 0 });
});

test("of a source at most 50 lines are kept: the newest", async () => {
  const page = (from: number) =>
    Array.from({ length: 40 }, (_, i) =>
      rssItem({
        title: `${from + i}`,
        guid: `p${from + i}`,
        link: `https://news.example/p${from + i}`,
        pubDate: new Date(Date.UTC(2026, 9, 1, 0, from + i)).toUTCString(),
      }),
    );
  feeds.serve("/many", { body: rss(...page(0)) });
  const { sourceId } = await add("/many");
  await read(sourceId);
  feeds.serve("/many", { body: rss(...page(40)) });
  await read(sourceId, after(30));
  const kept = await titles(sourceId);
  expect(kept).toHaveLength(50);
  expect([kept[0], kept[49]]).toEqual(["79", "30"]);
});

test("what two sources report is shown once, and what is switched off or removed not at all", async () => {
  const link = "https://news.example/shared?page=2";
  const variant = "http://www.news.example/shared?utm_source=right&page=2#comments";
  feeds.serve("/left", {
    body: rss(rssItem({ title: "Left", link, pubDate: "Fri, 20 Nov 2026 09:00:00 GMT" })),
  });
  feeds.serve("/right", {
    body: rss(rssItem({ title: "Right", link: variant, pubDate: "Fri, 20 Nov 2026 10:00:00 GMT" })),
  });
  const left = await add("/left", "Left");
  const right = await add("/right", "Right");
  await Promise.all([read(left.sourceId), read(right.sourceId)]);
  const shared = async () =>
    (await listNews(db, { limit: 100 })).filter(({ url }) => url.includes("news.example/shared"));
  expect(await shared()).toMatchObject([{ title: "Left", source: "Left" }]);
  const off = { sourceId: left.sourceId, name: "Left", url: `${feeds.url}/left`, enabled: false };
  await changeSource(db, grace, { ...off, seenRevision: 1, ...rules }, now);
  expect(await shared()).toMatchObject([
    { source: "Right", url: "http://www.news.example/shared?page=2" },
  ]);
  await removeSource(db, grace, right.sourceId, now);
  expect(await shared()).toEqual([]);
  await expect(readSourceNow(db, grace, left.sourceId, now)).rejects.toMatchObject({
    code: "news/source-disabled",
  });
  await read(left.sourceId, after(5));
  expect((await findSource(db, left.sourceId))?.readAt).toEqual(now);
});

test("what stands at several places of one page is several lines", async () => {
  const parts = ["v2", "v1"].map((part) =>
    rssItem({ title: part, guid: part, link: `https://news.example/changes#${part}` }),
  );
  feeds.serve("/changes", { body: rss(...parts) });
  const { sourceId } = await add("/changes");
  await read(sourceId);
  const shown = (await listNews(db, { limit: 100 })).filter(({ url }) => url.endsWith("/changes"));
  expect(shown.map(({ title }) => title)).toEqual(["v2", "v1"]);
  await removeSource(db, grace, sourceId, now);
});

test("of two who change a source the second is refused; under a new address it begins anew", async () => {
  feeds.serve("/moved", { body: rss(rssItem({ guid: "m" })), headers: { etag: '"z"' } });
  const { sourceId } = await add("/moved");
  await read(sourceId);
  const change = { sourceId, enabled: true, ...rules, seenRevision: 1 };
  await changeSource(db, grace, { ...change, name: "New", url: `${feeds.url}/elsewhere` }, now);
  expect(await findSource(db, sourceId)).toMatchObject({ name: "New", revision: 2, itemCount: 0 });
  const late = { ...change, name: "Late", url: `${feeds.url}/moved` };
  await expect(changeSource(db, grace, late, now)).rejects.toMatchObject({
    code: "news/changed-meanwhile",
  });
  const taken = { ...change, seenRevision: 2, name: "X", url: `${feeds.url}/first` };
  await expect(changeSource(db, grace, taken, now)).rejects.toMatchObject({
    code: "news/source-exists",
  });
});

test("a reading that ends after its source was removed writes nothing", async () => {
  let removed = Promise.resolve();
  let sourceId = "";
  feeds.serve("/slow", {
    misbehave(_request, response) {
      removed = removeSource(db, grace, sourceId, now);
      void removed.then(() => response.end(rss(rssItem({ guid: "late" }))));
    },
  });
  sourceId = (await add("/slow")).sourceId;
  await read(sourceId);
  expect(await titles(sourceId)).toEqual([]);
  expect(await findSource(db, sourceId)).toBeNull();
});

test("a worker that ends does not wait for a feed, and blames nobody", async () => {
  feeds.serve("/silent", { misbehave: hang });
  const { sourceId } = await add("/silent");
  const ending = new AbortController();
  const reading = readSource(db, sourceId, { ...rules, now, stopping: ending.signal });
  ending.abort();
  await reading;
  expect(await findSource(db, sourceId)).toMatchObject({ failures: 0, readAt: null });
});

test.each([
  ["http://news.example.com/feed", "news/not-https"],
  ["https://10.0.0.1/feed", "news/address-not-allowed"],
  ["https://localhost/feed", "news/address-not-allowed"],
  ["not an address", "news/not-an-address"],
])("%s cannot be added", async (url, code) => {
  const wanted = { name: "X", url, enabled: true, ...rules };
  await expect(addSource(db, grace, wanted, now)).rejects.toMatchObject({ code });
});

test("only what is due is read, each once", async () => {
  await owner.query("delete from graphile_worker._private_jobs");
  await readDueSources(db, after(-60));
  const count = async () =>
    (await owner.query("select count(*)::int as count from graphile_worker.jobs")).rows[0].count;
  expect(await count()).toBe(0);
  const shown = (await listSources(db)).filter(({ enabled }) => enabled).length;
  await readDueSources(db, after(60 * 24 * 30));
  await readDueSources(db, after(60 * 24 * 30));
  expect(await count()).toBe(shown);
});

test("a source that floods leaves half of the lines to others, and has them all when there are none", async () => {
  const lines = (name: string, count: number, hour: number) =>
    rss(
      ...Array.from({ length: count }, (_, i) =>
        rssItem({
          title: `${name} ${i}`,
          guid: `${name} ${i}`,
          link: `https://${name}.example/${i}`,
          pubDate: `Sat, 21 Nov 2026 ${hour}:${59 - i}:00 GMT`,
        }),
      ),
    );
  for (const { id } of await listSources(db)) await removeSource(db, grace, id, now);
  feeds.serve("/flood", { body: lines("flood", 20, 11) });
  feeds.serve("/calm", { body: lines("calm", 2, 10) });
  await read((await add("/flood")).sourceId);
  const sources = async () => (await listNews(db, { limit: 5 })).map(({ title }) => title);
  expect(await sources()).toEqual(["flood 0", "flood 1", "flood 2", "flood 3", "flood 4"]);
  await read((await add("/calm")).sourceId);
  expect(await sources()).toEqual(["flood 0", "flood 1", "flood 2", "calm 0", "calm 1"]);
});
