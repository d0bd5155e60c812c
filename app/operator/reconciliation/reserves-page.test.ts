import { addr, eip191Signer } from "micro-eth-signer";
import { expect, test } from "vitest";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { readAccounts } from "#server/reconciliation/reserves/read-reserves.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const { privateKey: key, address: account } = addr.random();
const product = await testApp({ WITHDRAWAL_ADDRESS_ETHEREUM: account });
const { db, owner, app } = product;
const cookie = await signInAs(product, await createTestOperator(db, { canAct: true }));
const path = `/operator/reconciliation/reserves?address=${account.toLowerCase()}`;

async function read(address: string, form?: Record<string, string>) {
  const answer = await product.request(address, { cookie, ...(form && { form }) });
  return { status: answer.status, html: (await answer.text()).replaceAll("<!-- -->", "") };
}

test("the account that pays on Ethereum signs a day's proof, which the page of the proof shows", async () => {
  expect((await read(path)).html).toContain(
    "No daily proof has a root and a block of our node yet",
  );
  await owner.query(
    `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
     values ('bitcoin', 0, 101, $1, now(), now())`,
    ["ab".repeat(32)],
  );
  await publishProofDays(db);
  const { html } = await read(path);
  expect(html).toContain("personal_sign");
  const message = /Assay reserves 1: day (\S+), block 101 \w+, root \w{64}/.exec(html);
  if (!message) throw new Error("the page says what is to be signed");
  const form = { intent: "sign", day: message[1] ?? "", address: account };
  const wrong = await read(path, { ...form, text: "smpAA==" });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain("of Ethereum 0x and 130 digits");
  const text = eip191Signer.sign(message[0], key);
  expect((await read(path, { ...form, text })).status).toBe(302);
  expect((await read(path)).html).toContain("the node is asked");
  const node = {
    getHeader: async () => ({ number: 21_000_000, hash: `0x${"cd".repeat(32)}` }),
    getBalance: async () => 41_250_000_000_000_000_000n,
  };
  await readAccounts(db, { node: node as never, usdtContract: null }, app.now);
  const shown = (await read("/proof")).html;
  expect(shown).toContain("found by our node at block 21,000,000");
  expect(shown).toContain(text);
});
