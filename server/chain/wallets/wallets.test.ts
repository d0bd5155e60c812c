import { beforeAll, describe, expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { parseWalletKey, type WalletKey } from "#core/wallet/wallet-key.ts";
import { comparedIndex } from "#core/wallet/wallet-terms.ts";
import { compareAsOperator } from "#server/console/wallets/compare-as-operator.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { issueDepositAddress } from "./issue-deposit-address.ts";
import { listWallets } from "./list-wallets.ts";
import { recordWallets } from "./record-wallets.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const grace = await createTestOperator(db);

function key(xpub: string): WalletKey {
  const read = parseWalletKey(`wpkh(${xpub}/0/*)`, "bitcoin", "mainnet");
  if (typeof read === "string") throw new Error(read);
  return read;
}
// The account keys of the test vectors of BIP 86 and BIP 84.
const opened = key(
  "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ",
);
const closed = key(
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
);

async function walletOf({ descriptor }: WalletKey) {
  const wallet = (await listWallets(db)).find((each) => each.descriptor === descriptor);
  if (!wallet) throw new Error("the wallet is not there");
  return wallet;
}

async function compare(wallet: WalletKey, address: string) {
  const { id } = await walletOf(wallet);
  return compareAsOperator(db, grace, { walletId: id, key: wallet, address, now });
}

beforeAll(async () => {
  await recordWallets(db, [opened, closed, null], now);
  await recordWallets(db, [opened, closed, null], now);
});

test("a wallet is written down once, closed, and gives out no address", async () => {
  const ada = await createTestCustomer(db);
  expect((await listWallets(db)).map(({ comparedAt }) => comparedAt)).toEqual([null, null]);
  expect(await issueDepositAddress(db, closed, ada.id, now)).toBeNull();
});

test("opens for who has read the right address in the wallet, and for nobody else", async () => {
  await expect(compare(opened, deriveAddress(opened, 0))).rejects.toThrow("chain/another-wallet");
  await expect(compare(opened, "")).rejects.toThrow("chain/another-wallet");
  expect((await walletOf(opened)).comparedAt).toBeNull();
  await compare(opened, ` ${deriveAddress(opened, comparedIndex).toUpperCase()}\n`);
  expect((await walletOf(opened)).comparedAt).toEqual(now);
  await compare(opened, deriveAddress(opened, comparedIndex));
  const { rows } = await owner.query(
    "select detail from audit_log where act = 'chain/compare-wallet'",
  );
  expect(rows[0].detail.address).toContain(deriveAddress(opened, comparedIndex).toUpperCase());
});

describe("addresses", () => {
  test("are one for each customer, in order and without a gap, whoever asks at once", async () => {
    const { nextIndex } = await walletOf(opened);
    const people = await Promise.all(Array.from({ length: 8 }, () => createTestCustomer(db)));
    const asked = await Promise.all(
      [...people, ...people].map(({ id }) => issueDepositAddress(db, opened, id, now)),
    );
    const wanted = people.map((_, i) => deriveAddress(opened, nextIndex + i, 2));
    expect(new Set(asked)).toEqual(new Set(wanted));
    expect(asked.slice(0, 8)).toEqual(asked.slice(8));
    expect((await walletOf(opened)).nextIndex).toBe(nextIndex + 8);
  });

  test("are not issued to a closed account", async () => {
    const eve = await createTestCustomer(db);
    await owner.query("update customers set closed_at = now() where id = $1", [eve.id]);
    await expect(issueDepositAddress(db, opened, eve.id, now)).rejects.toThrow();
    expect(
      (await owner.query("select from deposit_addresses where customer_id = $1", [eve.id]))
        .rowCount,
    ).toBe(0);
  });
});

describe("PostgreSQL refuses", () => {
  test("an address that was not watched before, or of a wallet that nobody compared", async () => {
    const ada = await createTestCustomer(db);
    for (const [wallet, index] of [
      [opened, 1000],
      [opened, 0],
      [closed, 0],
    ] as const) {
      const { id } = await walletOf(wallet);
      await expect(
        owner.query(
          `insert into deposit_addresses (wallet_id, branch, derivation_index, customer_id, address, issued_at)
           values ($1, 2, $2, $3, 'x', now())`,
          [id, index, ada.id],
        ),
      ).rejects.toThrow(wallet === closed ? "that was compared" : "nothing was ever seen");
    }
  });

  test("to rewrite a wallet or an address, and to open a wallet without its act", async () => {
    await expect(owner.query("update wallets set descriptor = 'wpkh(other)'")).rejects.toThrow(
      "A wallet stays what it is",
    );
    await expect(owner.query("update deposit_addresses set address = 'other'")).rejects.toThrow(
      "written once",
    );
    await expect(owner.query("delete from deposit_addresses")).rejects.toThrow("written once");
    const { rows } = await owner.query("select id from audit_log order by position limit 1");
    await expect(
      owner.query(
        "update wallets set compared_at = now(), compared_action_id = $1 where compared_at is null",
        [rows[0].id],
      ),
    ).rejects.toThrow("Somebody of the staff compares a wallet");
    await expect(
      owner.query(
        "insert into wallets values (gen_random_uuid(), 'bitcoin', 'mainnet', 'wpkh(xprv9)', now())",
      ),
    ).rejects.toThrow("wallets_hold_no_private_key");
  });

  test("but not a public key that has these letters somewhere, as one in 2,000 has", async () => {
    await owner.query(
      "insert into wallets values (gen_random_uuid(), 'bitcoin', 'mainnet', 'wpkh([73c5da0a/84h/0h/0h]xpub6Dyprvv/0/*)', now())",
    );
  });
});
