import { beforeEach, describe, expect, test } from "vitest";
import { Busy } from "../busy.ts";
import { type CachedPage, NotCacheable, type RenderedPage } from "./cached-page.ts";
import { openPageCache, type PageCache } from "./page-cache.ts";

let now = 0;
let renders: string[] = [];
let next: (address: string) => Promise<RenderedPage | null>;
let cache: PageCache;

const page = (html: string): RenderedPage => ({ html, headers: {} });
const htmlOf = (kept: CachedPage | null) => kept?.html.toString() ?? null;

beforeEach(() => {
  now = 1_000_000;
  renders = [];
  next = async () => page(`version ${renders.length}`);
  cache = openPageCache({
    clock: () => now,
    render(address) {
      renders.push(address);
      return next(address);
    },
  });
});

/** Lets a render in the background come to its end. Compressing it waits for a thread that others may keep busy. */
async function settled(address: string, until: (html: string | null) => boolean): Promise<void> {
  await expect.poll(() => until(htmlOf(cache.peek(address))), { interval: 1 }).toBe(true);
}

test("renders a page once for all who ask at the same time", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get("/")));
  expect(new Set(answers.map(htmlOf))).toEqual(new Set(["version 1"]));
  expect(renders).toEqual(["/"]);
});

test("gives it out without asking again for five seconds", async () => {
  await cache.get("/");
  now += 4_999;
  expect(htmlOf(cache.peek("/"))).toBe("version 1");
  expect(htmlOf(await cache.get("/"))).toBe("version 1");
  expect(renders).toHaveLength(1);
});

test("then gives out the old one while one new one is rendered", async () => {
  await cache.get("/");
  now += 6_000;
  expect(cache.peek("/")).toBeNull();
  expect(
    await Promise.all([cache.get("/"), cache.get("/")]).then((all) => all.map(htmlOf)),
  ).toEqual(["version 1", "version 1"]);
  await settled("/", (html) => html === "version 2");
  expect(htmlOf(cache.peek("/"))).toBe("version 2");
  expect(renders).toHaveLength(2);
});

test("a page that nobody asked for in a while is rendered before it is given out", async () => {
  await cache.get("/");
  now += 60_000;
  expect(htmlOf(await cache.get("/"))).toBe("version 2");
});

test("after a change by staff whoever asks next waits for the new page", async () => {
  await cache.get("/");
  now += 10;
  cache.expire();
  now += 10;
  expect(cache.peek("/")).toBeNull();
  expect(htmlOf(await cache.get("/"))).toBe("version 2");
  expect(htmlOf(cache.peek("/"))).toBe("version 2");
});

test("a page that was being rendered while staff changed something counts as old", async () => {
  let finish = (_: RenderedPage) => {};
  next = () => new Promise((resolve) => (finish = resolve));
  const asked = cache.get("/");
  now += 5;
  cache.expire();
  finish(page("from before the change"));
  await asked;
  expect(cache.peek("/")).toBeNull();
});

test("nor is it what somebody gets who asks after the change", async () => {
  const finish: Array<(_: RenderedPage) => void> = [];
  next = () => new Promise((resolve) => finish.push(resolve));
  const before = cache.get("/");
  now += 5;
  cache.expire();
  now += 5;
  const [after, besides] = [cache.get("/"), cache.get("/")];
  expect(renders).toHaveLength(2);
  finish[1]?.(page("as it is now"));
  expect((await Promise.all([after, besides])).map(htmlOf)).toEqual([
    "as it is now",
    "as it is now",
  ]);
  finish[0]?.(page("from before the change"));
  await before;
  expect(htmlOf(cache.peek("/"))).toBe("as it is now");
});

describe("when a page cannot be rendered", () => {
  const failing = () => Promise.reject(new Error("the database is away"));

  test("the last one stands in for an hour, and nobody waits for each failure", async () => {
    await cache.get("/");
    next = failing;
    now += 60_000;
    expect(htmlOf(await cache.get("/"))).toBe("version 1");
    next = () => new Promise(() => {});
    now += 1_000;
    expect(htmlOf(await cache.get("/"))).toBe("version 1");
  });

  test("the next good one takes its place", async () => {
    await cache.get("/");
    next = failing;
    now += 60_000;
    await cache.get("/");
    next = async () => page("back again");
    now += 6_000;
    expect(htmlOf(await cache.get("/"))).toBe("back again");
  });

  test("there is nothing to give out when there never was", async () => {
    next = failing;
    await expect(cache.get("/")).rejects.toThrow("the database is away");
    next = async () => page("later");
    expect(htmlOf(await cache.get("/"))).toBe("later");
  });

  test("after an hour the last one is too old", async () => {
    await cache.get("/");
    next = failing;
    now += 3_600_001;
    await expect(cache.get("/")).rejects.toThrow("the database is away");
  });
});

test("a page that is not one to keep is not kept, and no longer given out", async () => {
  await cache.get("/");
  next = async () => null;
  now += 60_000;
  expect(await cache.get("/")).toBeNull();
  next = () => Promise.reject(new Error("away"));
  await expect(cache.get("/")).rejects.toThrow("away");
});

test("one that finds no room is refused, unless an old page can stand in", async () => {
  await cache.get("/faq?q=old");
  next = () => Promise.reject(new Busy(5));
  now += 60_000;
  expect(htmlOf(await cache.get("/faq?q=old"))).toBe("version 1");
  await expect(cache.get("/faq?q=new")).rejects.toBeInstanceOf(Busy);
});

test("a page that there is no more is neither kept nor replaced by an old one; one that failed is", async () => {
  await cache.get("/");
  now += 60_000;
  next = () => Promise.reject(new NotCacheable(503, page("away")));
  expect(htmlOf(await cache.get("/"))).toBe("version 1");
  now += 60_000;
  next = () => Promise.reject(new NotCacheable(404, page("nothing here")));
  await expect(cache.get("/")).rejects.toMatchObject({ status: 404 });
  next = () => Promise.reject(new NotCacheable(503, page("away")));
  await expect(cache.get("/")).rejects.toMatchObject({ status: 503 });
});

test("a flood of addresses takes no more memory than was given, and spares what is read", async () => {
  next = async (address) => page(`${address} ${"x".repeat(1_000)}`);
  cache = openPageCache({
    clock: () => now,
    maxBytes: 100_000,
    render: (address) => next(address),
  });
  await cache.get("/");
  for (let place = 0; place < 500; place += 1) {
    await cache.get(`/flood/${place}`);
    cache.peek("/");
  }
  const left = Array.from({ length: 500 }, (_, place) => cache.peek(`/flood/${place}`)).filter(
    Boolean,
  );
  expect(left.length).toBeLessThan(100);
  expect(left.length).toBeGreaterThan(10);
  expect(cache.peek("/")).not.toBeNull();
});

test("however much is searched for, no plain page has to be rendered again", async () => {
  next = async (address) => page(`${address} ${"x".repeat(1_000)}`);
  cache = openPageCache({
    clock: () => now,
    maxBytes: 100_000,
    render: (address) => next(address),
  });
  await cache.get("/faq");
  for (let word = 0; word < 500; word += 1) await cache.get(`/faq?q=${word}`);
  expect(cache.peek("/faq?q=499")).not.toBeNull();
  expect(cache.peek("/faq?q=0")).toBeNull();
  expect(cache.peek("/faq")).not.toBeNull();
});

test("one huge page does not drive out all the others", async () => {
  cache = openPageCache({
    clock: () => now,
    maxBytes: 100_000,
    render: async (address) => page(address === "/huge" ? "x".repeat(90_000) : "small"),
  });
  await cache.get("/");
  expect(htmlOf(await cache.get("/huge"))).toHaveLength(90_000);
  expect(cache.peek("/huge")).toBeNull();
  expect(cache.peek("/")).not.toBeNull();
});

describe("a page that somebody asked something of", () => {
  const isCompressed = (address: string) => cache.peek(address)?.compressed != null;

  test("is sent as it is at first, and compressed once it is asked for again", async () => {
    expect((await cache.get("/faq?q=once"))?.compressed).toBeNull();
    await expect.poll(() => isCompressed("/faq?q=once"), { interval: 5 }).toBe(true);
    expect(renders).toEqual(["/faq?q=once"]);
  });

  test("keeps its compressed forms when it came out the same", async () => {
    next = async () => page("the same");
    await cache.get("/faq?q=same");
    await expect.poll(() => isCompressed("/faq?q=same"), { interval: 5 }).toBe(true);
    now += 60_000;
    expect((await cache.get("/faq?q=same"))?.compressed).not.toBeNull();
  });
});

test("a page whose address we wrote is compressed before it is sent", async () => {
  expect((await cache.get("/faq"))?.compressed).not.toBeNull();
});
