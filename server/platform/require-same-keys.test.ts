import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { readStanding } from "../console/today/read-standing.ts";
import { openLog } from "./log/log.ts";
import { acceptKey, forgetOlderDocumentKeys, requireSameKeys } from "./require-same-keys.ts";

const { db } = await testDatabase();
const acceptAll = async () => {
  for (const kind of ["auth-secret", "document-key", "file-store"] as const)
    await acceptKey(db, kind);
};
beforeEach(acceptAll);
const now = () => new Date("2026-03-01T12:00:00Z");
const secret = () => randomBytes(32).toString("base64url");
const ring = (...names: string[]) => ({
  currentId: names[0] ?? "",
  keys: new Map(names.map((name) => [name, new TextEncoder().encode(name)])),
});
const log = openLog("silent");
const files = testFiles();
const shared = { authSecret: secret(), authSecretBefore: null, documentKeys: ring("one") };
const start = (
  config: Partial<Parameters<typeof requireSameKeys>[0]["config"]> = {},
  store = files,
  at = now,
) => requireSameKeys({ db, config: { ...shared, ...config }, files: store, log, now: at });

test("processes with the same keys and files start, also the first ones at once", async () => {
  await Promise.all([start(), start(), start()]);
  await start();
});

test("another secret, other document keys or another file store are refused with the way out", async () => {
  await start();
  await expect(start({ authSecret: secret() })).rejects.toThrow("AUTH_SECRET is another one");
  await expect(start({ documentKeys: ring("two") })).rejects.toThrow("DOCUMENT_KEYS lack a key");
  await expect(start({}, testFiles())).rejects.toThrow(
    /another file store .* secret -- accept-files/,
  );
  await start();
  await acceptAll();
  const lost = { authSecret: secret(), documentKeys: ring("two") };
  await start(lost, testFiles());
  await expect(start()).rejects.toThrow("AUTH_SECRET is another one");
});

test("a new secret is noted by who has both, and what is forgotten is refused afterwards", async () => {
  await start();
  const rotated = { authSecret: secret(), authSecretBefore: shared.authSecret };
  await start(rotated);
  await start({ ...rotated, authSecretBefore: null });
  await expect(start()).rejects.toThrow("AUTH_SECRET is another one");
});

test("staff are told of a secret two years after it came into use, and of a document key after one, until it is rotated", async () => {
  const late = async (moment: string) => (await readStanding(db, new Date(moment))).keys;
  await start();
  expect(await late("2027-03-01T12:00:00Z")).toEqual([]);
  const key = { place: "DOCUMENT_KEYS", since: new Date("2027-03-01T12:00:00Z") };
  expect(await late("2028-03-01T12:00:00Z")).toEqual([key]);
  const own = { place: "AUTH_SECRET", since: new Date("2028-03-01T12:00:00Z") };
  expect(await late("2028-03-01T12:00:01Z")).toEqual([own, key]);
  const rotated = { authSecret: secret(), authSecretBefore: shared.authSecret };
  const documentKeys = ring("two", "one");
  await start({ ...rotated, documentKeys }, files, () => new Date("2028-03-02T12:00:00Z"));
  expect(await late("2029-03-02T12:00:00Z")).toEqual([]);
});

test("every process needs each document key under which something may be wrapped, in whatever order", async () => {
  await start();
  await start({ documentKeys: ring("two", "one") });
  await start({ documentKeys: ring("one", "two") });
  await expect(start()).rejects.toThrow("DOCUMENT_KEYS lack");
  await expect(start({ documentKeys: ring("two") })).rejects.toThrow("DOCUMENT_KEYS lack");
  await forgetOlderDocumentKeys(db, ring("two", "one"));
  await start({ documentKeys: ring("two") });
});

test("two machines that start at once with stores of their own are not both let in", async () => {
  const started = await Promise.allSettled([start({}, testFiles()), start({}, testFiles())]);
  expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a file store that does not answer keeps nobody from starting", async () => {
  await start();
  const away = { ...files, get: () => Promise.reject(new Error("away")) };
  await start({}, away);
});
