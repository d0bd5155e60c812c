import { randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { deepReorgTerms } from "#core/payments/deep-reorg.ts";
import { Refusal } from "#core/refusal.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import type { ChainReader } from "./chain-reader.ts";
import { findDeepReorg } from "./find-deep-reorg.ts";
import { refusals } from "./refusals.ts";
import { chainDeepReorgs } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";

const d = chainDeepReorgs;

/**
 * Says of a chain which has left blocks that were settled that it is right: reading goes on where the branches part. `oldHash` and
 * `newHash` name the two branches as they were looked at. Nothing happens before somebody else confirms it.
 *
 * @throws Refusal `chain/reason-missing`, `chain/changed-meanwhile`, `chain/deep-reorg-proposed`, `chain/node-does-not-answer`, and as
 * `actAsOperator` does
 */
export async function proposeDeepReorg(
  db: Db,
  reader: ChainReader,
  operator: ActingOperator,
  said: { oldHash: string; newHash: string; reason: string },
  now: Date,
): Promise<void> {
  const { oldHash, newHash } = said;
  const reason = said.reason.trim();
  if (reason === "" || reason.length > deepReorgTerms.reasonMax) {
    throw new Refusal("chain/reason-missing");
  }
  const { chain } = reader;
  const found = await findDeepReorg(db, reader).catch((error: unknown) => {
    throw error instanceof SourceIncident ? new Refusal("chain/node-does-not-answer") : error;
  });
  if (found?.newHash !== newHash || found.position.hash !== oldHash) {
    throw new Refusal("chain/changed-meanwhile");
  }
  const { position, fork } = found;
  const from = { oldHeight: position.height, oldHash, newHash };
  const to = { forkHeight: fork.height, forkHash: fork.hash };
  const detail = { ...from, ...to, reason };
  const act = { act: "chain/propose-deep-reorg" as const, subject: subjectOf(chain), detail, now };
  await refusedBy(refusals, () =>
    actAsOperator(db, operator, act, async (tx, proposedByAct) => {
      const proposed = { proposedBy: operator.id, proposedByAct, proposedAt: now };
      await tx.insert(d).values({ id: randomUUIDv7(), chain, ...detail, ...proposed });
    }),
  );
}

/**
 * Confirms, or declines, that a chain's settled blocks are left. Only somebody else confirms; what one said oneself can be taken
 * back. The watcher carries it out with its next pass, as long as its source has the branch that was looked at. Decided twice in
 * the same way, it is decided once.
 *
 * @throws Refusal `chain/no-such-deep-reorg`, `chain/own-deep-reorg`, `chain/proposer-left`, and as `actAsOperator` does
 */
export async function decideDeepReorg(
  db: Db,
  operator: ActingOperator,
  { deepReorgId, into }: { deepReorgId: string; into: "confirmed" | "declined" },
  now: Date,
): Promise<void> {
  if (!isUuid(deepReorgId)) throw new Refusal("chain/no-such-deep-reorg");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const isThis = eq(d.id, deepReorgId);
      const [said] = await tx.select().from(d).where(isThis).for("update");
      if (
        said?.decidedBy === operator.id &&
        (said.state === "declined") === (into === "declined")
      ) {
        return;
      }
      if (said?.state !== "open") throw new Refusal("chain/no-such-deep-reorg");
      const { chain, oldHeight, oldHash, newHash, forkHeight, forkHash, reason } = said;
      const verb = into === "confirmed" ? "confirm" : "decline";
      const act = {
        act: `chain/${verb}-deep-reorg` as const,
        subject: subjectOf(chain),
        now,
        detail: { oldHeight, oldHash, newHash, forkHeight, forkHash, reason },
      };
      await actAsOperator(tx, operator, act, async (inner, decidedByAct) => {
        const decided = { decidedBy: operator.id, decidedByAct, decidedAt: now };
        await inner
          .update(d)
          .set({ state: into, ...decided })
          .where(isThis);
      });
    }),
  );
}

function subjectOf(chain: WalletChain): string {
  return `chain:${chain}`;
}
