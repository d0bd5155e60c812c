import { afterAll, expect, test } from "vitest";
import { messagePsbt } from "#core/wallet/bip322.ts";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createOfflineWallet, recordTestWallet } from "#tests/factories/withdrawal.ts";
import { startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findOwnAddress, listChangeAddresses } from "./find-own-address.ts";
import { listReserves, listSignedCoins } from "./list-reserves.ts";
import { readReserves } from "./read-reserves.ts";
import { prepareReserve, signReserves } from "./sign-reserves.ts";

const bitcoin = await startBitcoinNode();
afterAll(() => bitcoin.stop());
const { db, owner } = await testDatabase();
const treasurer = await createTestOperator(db, { canAct: true });
const wallet = await createOfflineWallet(bitcoin);
const others = await createOfflineWallet(bitcoin, "others");
const network = "regtest" as const;
const address = deriveAddress(wallet.key, 0, 1);
const foreign = deriveAddress(others.key, 0);
await recordTestWallet(db, wallet, new Date());

const sign = (given: Uint8Array | string, said: { address?: string; day?: string } = {}) =>
  signReserves(
    db,
    treasurer,
    { address, day, given: Buffer.from(given), network, account: null, ...said },
    new Date(),
  );
let day = "2026-01-01";
const read = () => readReserves(db, { node: bitcoin.node, network }, () => new Date());
const counted = async () =>
  (await listSignedCoins(db, new Date())).map((each) => [each.address, each.holds?.BTC]);

test("before a proof names a block there is nothing to sign", async () => {
  expect(await prepareReserve(db, { address, network })).toBeNull();
  await expect(sign("smpAA==")).rejects.toMatchObject({ code: "reconciliation/nothing-to-sign" });
  await owner.query(
    `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
     values ('bitcoin', 0, 101, $1, now(), now())`,
    ["ab".repeat(32)],
  );
  await publishProofDays(db);
  const toSign = await prepareReserve(db, { address, network });
  day = toSign?.day ?? "";
  expect(toSign?.message).toMatch(
    new RegExp(`^Assay reserves 1: day ${day}, block 101 (ab){32}, root [0-9a-f]{64}$`),
  );
});

test.each<[string, string, { address?: string; day?: string; given?: string }]>([
  ["what is no address", "reconciliation/no-address", { address: "bcrt1qnothing" }],
  [
    "an address of another network",
    "reconciliation/another-network",
    { address: "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l" },
  ],
  ["a proof of another day", "reconciliation/proof-is-older", { day: "2026-01-01" }],
  ["what is no signature", "reconciliation/not-a-signature", { given: "no signature" }],
  ["an empty witness", "reconciliation/signed-otherwise", { given: "smpAA==" }],
])("%s is refused", async (_, code, { given = "smpAA==", ...said }) => {
  await expect(sign(given, said)).rejects.toMatchObject({ code });
});

test("a signature over something else, by another wallet, or by none is refused", async () => {
  const toSign = await prepareReserve(db, { address, network });
  if (!toSign?.psbt) throw new Error("there is something to sign");
  const another = await wallet.sign(messagePsbt(`${toSign.message}.`, address, network));
  await expect(sign(another)).rejects.toMatchObject({ code: "reconciliation/not-a-signature" });
  await expect(sign(toSign.psbt)).rejects.toMatchObject({ code: "reconciliation/not-a-signature" });
  const inPart = await wallet.sign(toSign.psbt, "ALL|ANYONECANPAY");
  await expect(sign(inPart)).rejects.toMatchObject({ code: /not-a-signature|signed-otherwise/ });
  const theirs = await prepareReserve(db, { address: foreign, network });
  const byOthers = await others.sign(theirs?.psbt ?? new Uint8Array());
  await expect(sign(byOthers, { address: foreign })).rejects.toMatchObject({
    code: "reconciliation/foreign-address",
  });
  expect(await listReserves(db, 10)).toEqual([]);
});

test("signed coins count once the node has found them, and until one is spent", async () => {
  const toSign = await prepareReserve(db, { address, network });
  const signed = await wallet.sign(toSign?.psbt ?? new Uint8Array());
  await Promise.allSettled([sign(signed), sign(signed)]);
  await expect(sign(signed.toString("base64"))).rejects.toMatchObject({
    code: "reconciliation/signed-already",
  });
  // Signed before the coins are in a block: it waits for them.
  await read();
  expect(await counted()).toEqual([]);
  await bitcoin.pay(address, 50_000_000n);
  await bitcoin.mine();
  await read();
  expect(await counted()).toEqual([[address, 50_000_000n]]);
  // Nobody looked for more than a day.
  expect(await listSignedCoins(db, new Date(Date.now() + 27 * 3_600_000))).toEqual([]);
  const [reserve] = await listReserves(db, 10);
  expect(reserve?.signature).toMatch(/^smp[A-Za-z0-9+/=]+$/);
  // More that arrives was not there when it was signed.
  await bitcoin.pay(address, 7_000n);
  await bitcoin.mine();
  await read();
  expect(await counted()).toEqual([[address, 50_000_000n]]);
  // A node that was set back does not make them spent.
  const behind = {
    scanTxOutSet: async () => ({ ...(await bitcoin.node.scanTxOutSet([])), height: 1 }),
  };
  await readReserves(db, { node: behind, network }, () => new Date());
  expect(await counted()).toEqual([[address, 50_000_000n]]);
  await bitcoin.call("sendtoaddress", [deriveAddress(others.key, 1), 0.4], "offline");
  await bitcoin.mine();
  await read();
  expect(await counted()).toEqual([]);
  expect((await listReserves(db, 10))[0]).toMatchObject({ spentAt: expect.any(Date) });
});

test("the change of the newest batch is where most coins are; a customer's address is not published", async () => {
  expect(await listChangeAddresses(db, network)).toEqual([address]);
  expect(await findOwnAddress(db, network, deriveAddress(wallet.key, 3, 1))).not.toBeNull();
  expect(await findOwnAddress(db, network, foreign)).toBeNull();
  const theirs = deriveAddress(wallet.key, 0, 2);
  await owner.query(
    `insert into wallet_addresses (address, wallet_id, branch, derivation_index, purpose, written_at)
     select $1, id, 2, 0, 'customers', now() from wallets`,
    [theirs],
  );
  expect(await findOwnAddress(db, network, theirs)).toBeNull();
});

test("the owner of the tables is refused a signature over another text, and one that changes", async () => {
  const fault = (statement: string) =>
    owner.query(statement).then(
      () => "nothing was refused",
      (error) => error.constraint,
    );
  const copy = (change: string) =>
    `insert into reserve_signatures select (jsonb_populate_record(r, ${change})).* from reserve_signatures r`;
  expect(await fault(copy(`jsonb_build_object('id', gen_random_uuid(), 'message', 'x')`))).toBe(
    "reserves_sign_a_proof",
  );
  expect(await fault("update reserve_signatures set units = 1")).toBe(
    "reserves_stay_what_was_signed",
  );
  expect(await fault("delete from reserve_signatures")).toBe("reserve_signatures_are_kept");
});
