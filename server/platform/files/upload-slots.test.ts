import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { openUploadSlots } from "./upload-slots.ts";

const limits = { inAll: 4, ofOneAccount: 2, waiting: 5, waitingOfOneAccount: 2, waitMs: 60_000 };

/** Uploads that go on until they are told to end. */
function openUploads(wanted: Partial<typeof limits> = {}) {
  const hold = openUploadSlots({ ...limits, ...wanted });
  const began: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    refused,
    async begin(name: string): Promise<void> {
      const [account = ""] = name.split("-");
      void hold(account, async (isHeld) => {
        if (!isHeld) {
          refused.push(name);
          return;
        }
        began.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
      await new Promise(setImmediate);
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test("an account has two under way; its third begins when one of them ends", async () => {
  const uploads = openUploads();
  for (const name of ["ada-1", "ada-2", "ada-3"]) await uploads.begin(name);
  expect(uploads.began).toEqual(["ada-1", "ada-2"]);
  await uploads.begin("ben-1");
  expect(uploads.began).toContain("ben-1");
  expect(uploads.began).not.toContain("ada-3");
  await uploads.end("ada-1");
  expect(uploads.began).toContain("ada-3");
  expect(uploads.refused).toEqual([]);
});

test("all together have so many; a free slot goes to the account that holds fewest", async () => {
  const uploads = openUploads();
  for (const name of ["ada-1", "ada-2", "ben-1", "ben-2"]) await uploads.begin(name);
  for (const name of ["ada-3", "ada-4", "cleo-1"]) await uploads.begin(name);
  expect(uploads.began).toHaveLength(4);
  await uploads.end("ada-1");
  expect(uploads.began.at(-1)).toBe("cleo-1");
});

test("who has as many waiting is refused at once, and so is everybody when too many wait", async () => {
  const uploads = openUploads({ inAll: 2, waiting: 3 });
  for (const name of ["ada-1", "ada-2", "ada-3", "ada-4", "ada-5"]) await uploads.begin(name);
  expect(uploads.refused).toEqual(["ada-5"]);
  for (const name of ["ben-1", "cleo-1"]) await uploads.begin(name);
  expect(uploads.refused).toEqual(["ada-5", "cleo-1"]);
});

test("nobody waits for ever, and who gave up takes no slot", async () => {
  const uploads = openUploads({ inAll: 1, waitMs: 10 });
  await uploads.begin("ada-1");
  await uploads.begin("ben-1");
  await expect.poll(() => uploads.refused).toEqual(["ben-1"]);
  await uploads.end("ada-1");
  await uploads.begin("cleo-1");
  expect(uploads.began).toEqual(["ada-1", "cleo-1"]);
});

test("a slot comes back when the work fails", async () => {
  const hold = openUploadSlots({ ...limits, inAll: 1 });
  for (let n = 0; n < 3; n += 1) {
    await expect(hold("ada", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  }
  expect(await hold("ada", async (isHeld) => isHeld)).toBe(true);
});

test("a thousand uploads of fifty accounts never pass the limits, and all come to an end", async () => {
  const hold = openUploadSlots({ ...limits, inAll: 7, waiting: 1000 });
  const now = new Map<string, number>();
  let all = 0;
  let most = 0;
  const work = (account: string) => async (isHeld: boolean) => {
    if (!isHeld) return 0;
    const own = (now.get(account) ?? 0) + 1;
    now.set(account, own);
    all += 1;
    most = Math.max(most, all);
    expect(own).toBeLessThanOrEqual(2);
    await wait(0);
    now.set(account, (now.get(account) ?? 0) - 1);
    all -= 1;
    return 1;
  };
  const done = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => hold(`a${n % 50}`, work(`a${n % 50}`))),
  );
  expect([most, all]).toEqual([7, 0]);
  // Two of each account wait; its others are refused.
  expect(done.reduce<number>((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(100);
});
