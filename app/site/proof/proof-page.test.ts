import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashDay } from "#core/proof/day-digest.ts";
import { recomputeProof, type TransferProof } from "#core/proof/recompute-proof.ts";
import { formatDay } from "#core/utc-day.ts";
import { findTransfer } from "#server/ledger/find-transfer.ts";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { listUnseenPayouts } from "#server/mining/receipts/list-evidence.ts";
import { confirmPayout } from "#server/payouts/confirm-payout.ts";
import { listProofDays } from "#server/proof/list-days.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { withMarks } from "#server/withdrawals/bitcoin/with-marks.ts";
import { openTestWallet } from "#tests/factories/chain.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { nameTestAddress, startTestChain } from "#tests/factories/pool-coins.ts";
import { createFirstProofDay, sealedTwoDaysAgo } from "#tests/factories/proof.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner } = product;
const ada = await createTestCustomer(db);
const cookie = await signInAs(product, ada);
await creditTestDeposit(db, ada.id, 70_000n, { now: new Date("2026-03-09T10:00:00Z") });
await sealTransfers(db, new Date());
const { rows } = await owner.query("select id from ledger_transfers where kind = 'deposit'");
const transfer = `/account/evidence/${rows[0].id}`;

const read = async (path: string) => (await product.request(path, { cookie })).text();
test("before the first day there is nothing, and the page says when there is", async () => {
  expect(await read("/proof")).toContain("The first hash comes within the hour.");
  expect((await product.request("/proof/2026-01.json")).status).toBe(404);
  expect(await read(transfer)).toContain("Shortly after midnight UTC");
  expect((await product.request(`${transfer}/proof.json`, { cookie })).status).toBe(404);
});

test("the page shows the digests, and a command that makes the newest", async () => {
  await createFirstProofDay(owner, 4);
  await sealedTwoDaysAgo(owner);
  await publishProofDays(db);
  const days = await listProofDays(db);
  expect(days).toHaveLength(4);
  for (const day of days) expect(hashDay(day)).toBe(day.digest);
  const html = await product.readAnew("/proof");
  expect(html).toContain(days[0]?.digest);
  const text = /data-copy="printf %s &#x27;([^"]*)&#x27; \| sha256sum"/.exec(html)?.[1] ?? "";
  expect(createHash("sha256").update(text).digest("hex")).toBe(days[0]?.digest);
});

test("the page of a transfer names the day whose hash stands on its seal", async () => {
  const covering = (await listProofDays(db)).at(1);
  const page = await read(transfer);
  expect(page).toContain(covering?.digest);
  expect(page).toContain(formatDay(covering?.day ?? ""));
});

test("its customer gets the file that leads from the transfer to that hash, and no other customer does", async () => {
  const answer = await product.request(`${transfer}/proof.json`, { cookie });
  const shown = await findTransfer(db, ada.id, rows[0].id);
  const published = (await listProofDays(db)).at(1);
  if (!shown || !published) throw new Error("both are there");
  const proof = (await answer.json()) as TransferProof;
  const steps = recomputeProof(proof, shown, published.digest);
  expect(steps.map(({ agrees }) => agrees)).toEqual([true, true, true, true]);
  const others = await signInAs(product, await createTestCustomer(db));
  const refused = await product.request(`${transfer}/proof.json`, { cookie: others });
  expect(refused.status).toBe(404);
  const more = async () => (await product.request(`${transfer}/proof.json`, { cookie })).status;
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) statuses.push(await more());
  expect(statuses.filter((status) => status !== 200)).toEqual([429, 429]);
});

test("a month is a file with all that its days stand on, for anyone", async () => {
  const [newest] = await listProofDays(db);
  const month = newest?.day.slice(0, 7) ?? "";
  const answer = await product.request(`/proof/${month}.json`);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  const days = (await listProofDays(db)).filter(({ day }) => day.startsWith(month));
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(await withMarks(db, days))));
  for (const file of ["2026-13.json", "1999-01.json", "days.json", `${month}.txt`, "%00.json"]) {
    expect((await product.request(`/proof/${file}`)).status, file).toBe(404);
  }
});

test("the page adds up each pool's coins and payouts, and names what is missing and who said that a payout was not seen", async () => {
  const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
  const key = await openTestWallet(db, alan);
  const chain = await startTestChain(db, owner);
  const poolId = await createTestPool(db, grace, { name: "Test pool" });
  const address = await nameTestAddress(db, grace, { poolId, key });
  const coin = await chain.mine(address, 5_000_000n);
  await createTestPayout(db, grace, { poolId, day: "2026-03-01", units: 3_000_000n });
  const unseen = await createTestPayout(db, grace, {
    poolId,
    day: "2026-03-02",
    units: 9_000_000n,
  });
  await confirmPayout(db, alan, unseen, new Date(), "It paid to <its> old address");
  const coins = async () => {
    const html = await product.readAnew("/proof");
    const section = html.slice(html.indexOf('aria-labelledby="coins"'));
    return textOf(section.slice(0, section.indexOf("</section>")));
  };
  const words = await coins();
  expect(words).toContain("Covered");
  expect(words).toContain("0.05 000000 BTC, in 1");
  expect(words).toContain("Payouts without coins 0.09 000000 BTC");
  expect(words).toContain(`It paid to &lt;its&gt; old address (${await namesOf(unseen)})`);
  await chain.leave(coin);
  expect(await coins()).toContain("Missing 0.03 000000 BTC");
});

/** The words of a page's part, in one line. */
const textOf = (html: string) =>
  html
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(" ,", ",");

async function namesOf(payoutId: string): Promise<string> {
  const [payout] = await listUnseenPayouts(db, 1);
  expect(payout?.payoutId).toBe(payoutId);
  return payout?.unseenBy ?? "";
}
