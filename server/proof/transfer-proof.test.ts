import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recomputeProof, type TransferProof } from "#core/proof/recompute-proof.ts";
import { findTransfer } from "#server/ledger/find-transfer.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { createFirstProofDay, sealedTwoDaysAgo } from "#tests/factories/proof.ts";
import { aDeposit } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findTransferProof } from "./find-transfer-proof.ts";
import { findCoveringDay } from "./list-days.ts";
import { publishProofDays } from "./publish-days.ts";

const { db, owner } = await testDatabase({ documents: false });
const ada = randomUUID();
const transfers: string[] = [];
const post = async (customerId: string, units: bigint) => {
  const { transferId } = await postTransfer(db, aDeposit(customerId, units));
  if (customerId === ada) transfers.push(transferId);
};
const now = new Date();

// Three seals, the first over seven transfers, of which four are Ada's, the last among them, whose hash goes up alone at first.
await createFirstProofDay(owner, 3);
for (let n = 1n; n <= 7n; n += 1n) await post(n % 2n && n < 7n ? randomUUID() : ada, n);
await sealTransfers(db, now);
for (const units of [8n, 9n]) {
  await post(ada, units);
  await sealTransfers(db, now);
}
await sealedTwoDaysAgo(owner);
await publishProofDays(db);

async function proofOf(transferId: string): Promise<TransferProof> {
  const proof = await findTransferProof(db, ada, transferId);
  if (!proof) throw new Error("it is covered");
  // As a browser gets it.
  return JSON.parse(JSON.stringify(proof));
}
/** Beside the page of a transfer, which shows the published digest as well. */
async function agreeing(proof: TransferProof, transferId: string) {
  const shown = await findTransfer(db, ada, transferId);
  const published = await findCoveringDay(db, "1");
  if (!shown || !published) throw new Error("both are there");
  return recomputeProof(proof, shown, published.digest).map(({ agrees }) => agrees);
}

test("every transfer leads to the published hash of the first day that includes it", async () => {
  expect(transfers).toHaveLength(6);
  for (const transferId of transfers) {
    const proof = await proofOf(transferId);
    expect(proof.fields).toContain(transferId);
    expect(proof.day).toMatchObject({ day: (await findCoveringDay(db, "1"))?.day });
    expect(await agreeing(proof, transferId)).toEqual([true, true, true, true]);
  }
  expect((await proofOf(transfers[0] ?? "")).seals).toHaveLength(3);
  const lengths = transfers.map(async (each) => (await proofOf(each)).path.length);
  expect(await Promise.all(lengths)).toEqual([3, 3, 3, 2, 0, 0]);
});

test("a seal of which a transfer is not here any more leads nowhere", async () => {
  const take = (to: string) =>
    owner.query(`begin; set local session_replication_role = replica; alter table ledger_seals disable trigger user;
      update ledger_seals set transfer_count = transfer_count ${to} where number = 1;
      alter table ledger_seals enable trigger user; commit`);
  await take("+ 1");
  expect(await findTransferProof(db, ada, transfers[0] ?? "")).toBeNull();
  await take("- 1");
  expect(await findTransferProof(db, ada, transfers[0] ?? "")).not.toBeNull();
});

const other = "ab".repeat(32);
test.each<[string, (proof: TransferProof) => Partial<TransferProof>, boolean[]]>([
  [
    "another amount",
    ({ fields }) => ({ fields: fields.with(14, `${fields[14]}0`) }),
    [false, false, false, false],
  ],
  [
    "another customer's account",
    ({ fields }) => ({ fields: fields.with(5, randomUUID()) }),
    [false, false, false, false],
  ],
  [
    "another hash beside it",
    ({ path }) => ({ path: path.map((each) => ({ ...each, hash: other })) }),
    [true, false, false, false],
  ],
  [
    "the hash beside it on the other side",
    ({ path: [first = never(), ...rest] }) => ({
      path: [{ ...first, side: first.side === "left" ? "right" : "left" }, ...rest],
    }),
    [true, false, false, false],
  ],
  ["no seals", () => ({ seals: [] }), [true, false, false, false]],
  [
    "another form of what is hashed",
    ({ fields }) => ({ fields: fields.with(0, "assay note 1") }),
    [false, false, false, false],
  ],
  [
    "a root that does not belong to it, with a seal that fits",
    ({ seals: [[count, , at] = never(), ...rest] }) => ({ seals: [[count, other, at], ...rest] }),
    [true, false, true, true],
  ],
  [
    "another seal between it and the day",
    ({ seals: [first = never(), [count, , at] = never(), ...rest] }) => ({
      seals: [first, [count, other, at], ...rest],
    }),
    [true, true, false, false],
  ],
  ["a seal left out", ({ seals }) => ({ seals: seals.slice(0, -1) }), [true, true, false, false]],
  [
    "another act of staff in the day",
    ({ day }) => ({ day: { ...day, auditLink: "1", auditHash: other } }),
    [true, true, true, false],
  ],
  ["another day", ({ day }) => ({ day: { ...day, day: "2020-01-01" } }), [true, true, true, false]],
])("%s shows at its step", async (_, change, agrees) => {
  const proof = await proofOf(transfers[0] ?? "");
  expect(await agreeing({ ...proof, ...change(proof) }, transfers[0] ?? "")).toEqual(agrees);
});

test("the file of another transfer shows, although its hashes agree", async () => {
  const [first = "", second = ""] = transfers;
  expect(await agreeing(await proofOf(second), first)).toEqual([false, true, true, true]);
});

function never(): never {
  throw new Error("there is one");
}

test("a customer gets no proof of another's transfer, of none, and of one that no day includes yet", async () => {
  const [transferId = ""] = transfers;
  expect(await findTransferProof(db, randomUUID(), transferId)).toBeNull();
  expect(await findTransferProof(db, ada, randomUUID())).toBeNull();
  expect(await findTransferProof(db, ada, "no-uuid")).toBeNull();
  await post(ada, 10n);
  const last = transfers.at(-1) ?? "";
  expect(await findTransferProof(db, ada, last)).toBeNull();
  await sealTransfers(db, now);
  expect(await findTransferProof(db, ada, last)).toBeNull();
});
