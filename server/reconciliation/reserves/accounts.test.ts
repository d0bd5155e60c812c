import { afterAll, expect, test } from "vitest";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { createEthereumHotWallet } from "#tests/factories/ethereum-hot-wallet.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { startEthereumNode } from "#tests/setup/ethereum-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listReserves, listSignedCoins } from "./list-reserves.ts";
import { readAccounts } from "./read-reserves.ts";
import { prepareReserve, signReserves } from "./sign-reserves.ts";

const ethereum = await startEthereumNode();
afterAll(() => ethereum.stop());
const { db, owner } = await testDatabase();
const treasurer = await createTestOperator(db, { canAct: true });
const hotWallet = await createEthereumHotWallet(ethereum, 500_000_000n);
const account = hotWallet.address;
await owner.query(
  `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
   values ('bitcoin', 0, 101, $1, now(), now())`,
  ["ab".repeat(32)],
);
await publishProofDays(db);
const toSign = await prepareReserve(db, { address: account.toLowerCase(), network: "regtest" });
if (!toSign) throw new Error("there is something to sign");
const { day, message } = toSign;

/** By the node, as wallets do, with the key of one of its accounts. */
const byNode = (text: string, address: string) =>
  ethereum.call<string>("personal_sign", [`0x${Buffer.from(text).toString("hex")}`, address]);
const sign = (given: string, said: { address?: string; account?: string | null } = {}) =>
  signReserves(
    db,
    treasurer,
    { address: account, day, given: Buffer.from(given), network: "regtest", account, ...said },
    new Date(),
  );
const read = () =>
  readAccounts(db, { node: ethereum.node, usdtContract: ethereum.usdt }, () => new Date());
const counted = async () => (await listSignedCoins(db, new Date())).map(({ holds }) => holds);

test("an account signs the same message, and no transaction", () => {
  expect(toSign).toMatchObject({ address: account, psbt: null });
  expect(message).toMatch(/^Assay reserves 1: day /);
});

test.each<[string, string, () => Promise<void>]>([
  [
    "an address with a wrong checksum",
    "no-address",
    () => sign("0x", { address: account.replace(/[a-f]/, (digit) => digit.toUpperCase()) }),
  ],
  ["what is no signature", "not-a-signature", () => sign("smpAA==")],
  ["a signature that no key makes", "signed-otherwise", () => sign(`0x${"00".repeat(65)}`)],
  [
    "a signature over something else",
    "signed-otherwise",
    async () => sign(await byNode(`${message}.`, account)),
  ],
  [
    "another's signature",
    "signed-otherwise",
    async () => sign(await byNode(message, ethereum.accounts[3] ?? "")),
  ],
  [
    "an account that is not ours",
    "foreign-address",
    async () => {
      const [, , address = ""] = ethereum.accounts;
      return sign(await byNode(message, address), { address });
    },
  ],
  [
    "any account where none pays",
    "foreign-address",
    async () => sign(await byNode(message, account), { account: null }),
  ],
])("%s is refused", async (_, code, act) => {
  await expect(act()).rejects.toMatchObject({ code: `reconciliation/${code}` });
  expect(await listReserves(db, 10)).toEqual([]);
});

test("ether and USDT that signed count once the node has found them, until the account holds less", async () => {
  const signature = await byNode(message, account);
  await Promise.allSettled([
    sign(signature),
    sign(` ${signature.toUpperCase().replace("0X", "0x")}\n`),
  ]);
  await expect(sign(signature)).rejects.toMatchObject({ code: "reconciliation/signed-already" });
  expect(await listReserves(db, 10)).toMatchObject([{ address: account, signature, holds: null }]);
  expect(await counted()).toEqual([]);
  await read();
  const [holds] = await counted();
  expect(holds).toEqual({ ETH: await ethereum.node.getBalance(account), USDT: 500_000_000n });
  // More that arrives was not there when it was signed.
  await ethereum.payTokens(account, 7n);
  await ethereum.mine();
  await read();
  expect(await counted()).toEqual([holds]);
  // A node that was set back does not make them spent.
  const header = { ...(await ethereum.node.getHeader("latest")), number: 0 };
  const behind = Object.assign(Object.create(ethereum.node), {
    getHeader: async () => header,
    getBalance: async () => 0n,
    call: async () => `0x${"00".repeat(32)}`,
  });
  await readAccounts(db, { node: behind, usdtContract: ethereum.usdt }, () => new Date());
  expect(await counted()).toEqual([holds]);
  await hotWallet.spendTokens(8n);
  await ethereum.mine();
  await read();
  expect(await counted()).toEqual([]);
  expect(await listReserves(db, 10)).toMatchObject([{ spentAt: expect.any(Date) }]);
});
