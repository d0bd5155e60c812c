import { expect, test } from "vitest";
import { Busy } from "./busy.ts";
import { limitConcurrency } from "./limit-concurrency.ts";

const room = (places: number, waitMs = 60_000) => ({ places, waitMs });
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("runs so many at a time, in order, and goes on after a failure", async () => {
  const through = limitConcurrency(2, { all: room(9) });
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 9 }, (_, n) =>
      through("all", async () => {
        started.push(n);
        running += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        if (n % 3 === 0) throw new Error("failed");
      }),
    ),
  );
  expect(most).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
});

test("lets the first queue go first, whenever its work came", async () => {
  const through = limitConcurrency(1, { first: room(5), second: room(5) });
  const done: string[] = [];
  const work = (name: string) => async () => {
    await turn();
    done.push(name);
  };
  await Promise.all([
    through("second", work("s1")),
    through("second", work("s2")),
    through("second", work("s3")),
    through("first", work("f1")),
    through("first", work("f2")),
  ]);
  expect(done).toEqual(["s1", "f1", "f2", "s2", "s3"]);
});

test("refuses what finds its waiting room full, and only that", async () => {
  const through = limitConcurrency(1, { first: room(1), second: room(2) });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 6 }, () => through("second", turn)),
    through("first", turn),
  ]);
  const refused = outcomes.map((outcome) => outcome.status === "rejected");
  expect(refused).toEqual([false, false, false, true, true, true, false]);
  const [reason] = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason] : [],
  );
  expect(reason).toBeInstanceOf(Busy);
  await through("second", turn);
});

test("refuses what has waited too long, and takes the next", async () => {
  const through = limitConcurrency(1, { first: room(5), second: room(5, 20) });
  let end = () => {};
  const long = through("first", () => new Promise<void>((resolve) => (end = resolve)));
  await expect(through("second", turn)).rejects.toBeInstanceOf(Busy);
  const patient = through("first", async () => "done");
  end();
  await long;
  expect(await patient).toBe("done");
  await through("second", turn);
});

test("one of those whose work it is takes only a share of a room, and others find a place", async () => {
  const through = limitConcurrency(1, { known: room(8) });
  const by = (whose: string, network = "net") => ({
    queues: ["known" as const],
    shares: [[whose, 2] as const, [network, 5] as const],
  });
  const done = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.filter(({ status }) => status === "fulfilled").length;
  const [flood, others, elsewhere] = await Promise.all([
    Promise.allSettled(Array.from({ length: 200 }, () => through(by("mal"), turn))),
    Promise.allSettled(["ada", "bob", "eve", "fay"].map((whose) => through(by(whose), turn))),
    Promise.allSettled([through(by("gus", "another net"), turn)]),
  ]);
  // One runs and two wait; then three of the others fill what their network has.
  expect([flood, others, elsewhere].map(done)).toEqual([3, 3, 1]);
  await through(by("mal"), turn);
});

test("takes a place in the first of its queues that has one", async () => {
  const through = limitConcurrency(1, { first: room(1), second: room(1) });
  const running = through("first", turn);
  const outcomes = await Promise.allSettled([
    through("first", turn),
    through("first", turn),
    through({ queues: ["first", "second"], shares: [] }, turn),
    through({ queues: ["first", "second"], shares: [] }, turn),
  ]);
  await running;
  const statuses = outcomes.map(({ status }) => status);
  expect(statuses).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
});

test("work that waits for nothing leaves its place to the next only in another turn of the event loop", async () => {
  const through = limitConcurrency(2, { all: room(9) });
  let isSameTurn = true;
  const inOneTurn: number[] = [];
  // As requests are read from their sockets: each is answered as far as it goes before the next.
  const asked: Array<Promise<unknown>> = [];
  for (let n = 0; n < 6; n += 1) {
    asked.push(
      through("all", async () => {
        if (isSameTurn) inOneTurn.push(n);
      }),
    );
    for (let microtask = 0; microtask < 20; microtask += 1) await null;
  }
  expect(inOneTurn).toEqual([0, 1]);
  isSameTurn = false;
  await Promise.all(asked);
});
