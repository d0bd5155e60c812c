import { expect, test } from "vitest";
import {
  abandonBatch,
  decideAbandonment,
  proposeAbandonment,
} from "#server/withdrawals/batches/abandon-batch.ts";
import { findBatch } from "#server/withdrawals/batches/find-batch.ts";
import { changeOf } from "#server/withdrawals/bitcoin/change-of.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createUnsentBatch, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db } = product;

test("a batch that is proposed to be ended is not offered to be signed until that is declined, and says when two people ended it", async () => {
  const maker = await createTestOperator(db);
  const cookie = await signInAs(product, maker);
  const customer = await createWithdrawer(db, { now: new Date(Date.now() - 30 * 3_600_000) });
  const { batchId } = await createUnsentBatch(db, { customer, operator: maker });
  const read = async () => {
    const answer = await product.request(`/operator/withdrawals/batches/${batchId}`, { cookie });
    return (await answer.text()).replaceAll("<!-- -->", "");
  };
  const offers = ["Download to sign", "Bring back what was signed", ">To sign<"];
  const asked = "A colleague was asked to end this batch. Decline that first.";
  const before = await read();
  for (const offer of offers) expect(before).toContain(offer);
  expect(before).not.toContain(asked);

  const now = new Date();
  await proposeAbandonment(db, maker, { batchId, reason: "Formed with the wrong coins" }, now);
  const ending = await read();
  for (const offer of offers) expect(ending).not.toContain(offer);
  expect(ending).toContain(asked);
  expect(ending).toContain("Ending proposed");
  expect(ending).toContain("Cancel proposal");

  const [proposal] = (await findBatch(db, batchId))?.abandonments ?? [];
  const declined = { batchId, abandonmentId: proposal?.id ?? "", into: "declined" as const };
  await decideAbandonment(db, maker, declined, now);
  const after = await read();
  for (const offer of offers) expect(after).toContain(offer);

  // Then two people end it, and the list says the same.
  const listed = async () => {
    const list = await product.request("/operator/withdrawals/batches", { cookie });
    const html = await list.text();
    return html.slice(html.indexOf(batchId)).split("</tr>")[0];
  };
  await proposeAbandonment(db, maker, { batchId, reason: "Formed with the wrong coins" }, now);
  expect(await listed()).toContain("Ending proposed");
  const [again] = (await findBatch(db, batchId))?.abandonments ?? [];
  const confirmed = { batchId, abandonmentId: again?.id ?? "", into: "confirmed" as const };
  await decideAbandonment(db, await createTestOperator(db), confirmed, now);
  expect(await abandonBatch(db, batchId, now)).toBe(true);
  for (const html of [await read(), await listed()]) expect(html).toContain("Ended by staff");
});

test("a batch shows where its change goes, as text and QR code too, and warns where the wallet's key has no origin", async () => {
  const maker = await createTestOperator(db);
  const cookie = await signInAs(product, maker);
  const customer = await createWithdrawer(db, { now: new Date(Date.now() - 30 * 3_600_000) });
  const { batchId } = await createUnsentBatch(db, { customer, operator: maker });
  const page = `/operator/withdrawals/batches/${batchId}`;
  const html = async (path: string) =>
    (await (await product.request(path, { cookie })).text()).replaceAll("<!-- -->", "");
  const batch = await html(page);
  const change = changeOf((await findBatch(db, batchId)) ?? { changeIndex: null, wallet: null });
  expect(change).toMatchObject({
    path: expect.stringMatching(/^1\/\d+$/),
    namesFingerprint: false,
  });
  expect(batch).toContain(change?.address);
  expect(batch).toContain("Hardware signers refuse this batch");
  const signing = await html(`${page}/sign/1`);
  expect(signing).toContain("QR code of the PSBT as base64");
  expect(signing).toContain("cHNidP8B");
  const { rows } = await product.owner.query(
    "select count(*)::int as looks from audit_log where act = 'withdrawals/download-psbt' and subject like $1",
    [`%${batchId}`],
  );
  expect(rows).toEqual([{ looks: 1 }]);
});
