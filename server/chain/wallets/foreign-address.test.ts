import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { shownDescriptor } from "#core/wallet/node-descriptor.ts";
import { parseWalletKey } from "#core/wallet/wallet-key.ts";
import { newTestDescriptor, openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { paymentAddresses } from "../../deposits/payments/payment-addresses.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { openLog } from "../../platform/log/log.ts";
import { listIncidents } from "../list-incidents.ts";
import { requireDerived } from "./foreign-address.ts";
import { verifyAddresses } from "./verify-addresses.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const key = await openTestWallet(db, grace);
const now = new Date();
const lines: string[] = [];
const context = {
  db,
  config: {
    ...readConfig({ AUTH_SECRET: "x".repeat(40) }),
    wallets: { bitcoin: key, ethereum: null },
    depositAddresses: { bitcoin: "bcrt1qfixed", ethereum: null },
  },
  log: openLog("error", { write: (line) => void lines.push(line) }),
};
const shown = async (customerId: string, onlyKnown = false) =>
  (await paymentAddresses(context, { customerId, onlyKnown }, now)).bitcoin;
const wrong = async (former: string[] = []) =>
  (await verifyAddresses(db, { keys: [key], former })).filter(({ holds }) => !holds);

/** As the application's own role does, which is allowed to. */
async function plant(address: string, index: string): Promise<void> {
  await db.$client.query(
    `insert into wallet_addresses (address, wallet_id, branch, derivation_index, purpose, written_at, asked_at)
     select $1, id, 2, ${index}, 'customers', now(), now() from wallets`,
    [address],
  );
}

test("whole addresses are found whole, and a page shows the customer's own", async () => {
  const { id } = await createTestCustomer(db);
  const address = await testAddress(db, key, id);
  expect(await shown(id)).toEqual({ address, isOwn: true });
  await requireDerived(db, key);
  expect(await wrong()).toEqual([]);
});

test("an address that was planted for the next customer is given to nobody, and staff are told", async () => {
  const next = "(select max(derivation_index) from wallet_addresses where branch = 2)";
  await plant("bcrt1qattacker", `${next} + 1`);
  await expect(requireDerived(db, key)).rejects.toThrow("bcrt1qattacker");
  expect((await wrong())[0]?.detail).toContain("bcrt1qattacker at /2/");
  // Those before it are given out as ever, and then nobody gets one.
  const seen: unknown[] = [];
  for (let i = 0; i < 25; i += 1) {
    const { id } = await createTestCustomer(db);
    const pay = await shown(id);
    if (pay === "checking") break;
    seen.push(pay);
  }
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.length).toBeLessThan(25);
  expect(JSON.stringify(seen)).not.toContain("attacker");
  expect(lines.join("")).toContain("bcrt1qattacker is not what the configured key gives");
  const [incident] = await listIncidents(db, 1);
  expect(incident).toMatchObject({ health: "foreign-address", chain: "bitcoin" });
});

test("an address that was planted as a customer's is never shown, to staff neither", async () => {
  const { id } = await createTestCustomer(db);
  await plant("bcrt1qdirect", "900000");
  await db.$client.query(
    `insert into deposit_addresses (wallet_id, branch, derivation_index, customer_id, address, issued_at)
     select id, 2, 900000, $1, 'bcrt1qdirect', now() from wallets`,
    [id],
  );
  expect(await shown(id)).toBe("checking");
  expect(await shown(id, true)).toBe("checking");
});

test("the owner removes it as the page says, and its customer gets another", async () => {
  const page = await readFile("docs/operating/wallets.md", "utf8");
  const [, statements = ""] = /```sql\n(begin;[^`]+)```/.exec(page) ?? [];
  const triggers = () =>
    owner
      .query("select tgname, tgenabled from pg_trigger where not tgisinternal order by tgname")
      .then(({ rows }) => rows);
  const before = await triggers();
  const { id } = await createTestCustomer(db);
  await plant("bcrt1qremoved", "900010");
  await db.$client.query(
    `insert into deposit_addresses (wallet_id, branch, derivation_index, customer_id, address, issued_at)
     select id, 2, 900010, $1, 'bcrt1qremoved', now() from wallets`,
    [id],
  );
  await db.$client.query(
    "insert into chain_scripts (script, address) values ('\\x0001', 'bcrt1qremoved')",
  );
  expect(await shown(id)).toBe("checking");
  for (const planted of ["bcrt1qattacker", "bcrt1qdirect", "bcrt1qremoved"])
    await owner.query(statements.replaceAll("ADDRESS", planted));
  expect(await triggers()).toEqual(before);
  await requireDerived(db, key);
  expect(await wrong()).toEqual([]);
  expect(await shown(id)).toEqual({ address: await testAddress(db, key, id), isOwn: true });
});

test("scripts of others and wallets that nobody configured are named", async () => {
  const { id } = await createTestCustomer(db);
  await plant("bcrt1qthird", "900002");
  await plant(deriveAddress(key, 900_001, 2), "900001");
  await db.$client.query("insert into chain_scripts (script, address) values ('\\x00', $1)", [
    deriveAddress(key, 900_001, 2),
  ]);
  const kept = parseWalletKey(newTestDescriptor(), "bitcoin", "regtest");
  if (typeof kept === "string") throw new Error(kept);
  const another = shownDescriptor(kept);
  await db.$client.query(
    `insert into wallets (id, chain, network, descriptor, first_seen_at) values ($1, 'bitcoin', 'regtest', $2, now())`,
    [id, kept.descriptor],
  );
  const found = await wrong();
  expect(found.map(({ claim }) => claim)).toEqual([
    "every wallet is one of the configuration, or was named",
    "every address is what its wallet's key gives at its place",
    "blocks are searched for what pays to these addresses",
  ]);
  expect(found[0]?.detail).toContain(another);
  expect((await wrong([another])).map(({ claim }) => claim)).not.toContain(found[0]?.claim);
});
