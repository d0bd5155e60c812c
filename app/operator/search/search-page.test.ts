import { expect, test } from "vitest";
import { operatorRoles } from "#core/permissions.ts";
import { proposeGift } from "#tests/factories/adjustment.ts";
import { openTestWallet, seePayment, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { createUnsentBatch, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db } = product;
const longAgo = new Date(Date.now() - 30 * 3_600_000);
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const ada = await createTestCustomer(db, { firstName: "Augusta", lastName: "Byron" });
const deposit = await createTestDeposit(app, { customerId: ada.id, approvedBy: grace });
const withdrawer = await createWithdrawer(db, { now: longAgo });
const { withdrawalId } = await createUnsentBatch(db, { customer: withdrawer, operator: grace });
const address = await testAddress(db, await openTestWallet(db, grace), ada.id);
const paymentId = await seePayment(db, address);
const adjustmentId = await proposeGift(app, grace, ada.id, { units: 1n });
const { threadId } = await createTestThread(db, { email: ada.email });
const poolId = await createTestPool(db, grace);
await createTestPayout(db, grace, { poolId, day: "2026-02-03" });

const texts = [
  ...[ada.id, grace.id, deposit.depositId, deposit.txid ?? "", deposit.mailId],
  ...[withdrawalId, withdrawer.address, address, paymentId, adjustmentId, threadId, poolId],
  ...[ada.email, "byron", "hopper", "2026-02-03", "1"],
];

test.each(operatorRoles)(
  "%s finds only what opens for that role",
  async (role) => {
    const cookie = await signInAs(product, await createTestOperator(db, { role }));
    const opened = new Set<string>();
    for (const text of texts) {
      const path = `/operator/search?q=${encodeURIComponent(text)}`;
      const answer = await product.request(path, { cookie });
      expect(answer.status, text).toBe(200);
      const results = (await answer.text()).split("<main")[1] ?? "";
      for (const [, to = ""] of results.matchAll(/href="(\/operator\/[^"]+)"/g)) {
        opened.add(to.replaceAll("&amp;", "&"));
      }
    }
    for (const to of opened) {
      expect((await product.request(to, { cookie })).status, `${role}, ${to}`).toBe(200);
    }
    expect(opened.size).toBeGreaterThan(0);
  },
  30_000,
);

test("a text as long as may be, of anything, is answered", async () => {
  const cookie = await signInAs(product, await createTestOperator(db));
  for (const text of ["x".repeat(5_000), "%00\u0000abc", "ab ".repeat(500), "🦊".repeat(150)]) {
    const path = `/operator/search?q=${encodeURIComponent(text)}`;
    expect((await product.request(path, { cookie })).status).toBe(200);
  }
});
