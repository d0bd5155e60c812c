import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { openLog } from "./log/log.ts";
import { acceptKeys, requireSameKeys } from "./require-same-keys.ts";

const { db } = await testDatabase();
beforeEach(() => acceptKeys(db));
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
) => requireSameKeys({ db, config: { ...shared, ...config }, files: store, log, now });

test("processes with the same keys and files start, also the first ones at once", async () => {
  await Promise.all([start(), start(), start()]);
  await start();
});

test("another secret, other document keys or another file store are refused with the way out", async () => {
  await start();
  await expect(start({ authSecret: secret() })).rejects.toThrow("AUTH_SECRET is another one");
  await expect(start({ documentKeys: ring("two") })).rejects.toThrow("DOCUMENT_KEYS lack the key");
  await expect(start({}, testFiles())).rejects.toThrow(/another file store .* secret -- accept/);
  await start();
  await acceptKeys(db);
  const lost = { authSecret: secret(), documentKeys: ring("two") };
  await start(lost, testFiles());
  await expect(start()).rejects.toThrow("AUTH_SECRET is another one");
});

test("a rotation is noted by who has both, and what is forgotten is refused afterwards", async () => {
  await start();
  const rotated = {
    authSecret: secret(),
    authSecretBefore: shared.authSecret,
    documentKeys: ring("two", "one"),
  };
  await start(rotated);
  await start({ ...rotated, authSecretBefore: null });
  await expect(start()).rejects.toThrow("AUTH_SECRET is another one");
  await expect(start({ ...rotated, documentKeys: ring("one") })).rejects.toThrow(
    "DOCUMENT_KEYS lack",
  );
});

test("a file store that does not answer keeps nobody from starting", async () => {
  await start();
  const away = { ...files, get: () => Promise.reject(new Error("away")) };
  await start({}, away);
});
