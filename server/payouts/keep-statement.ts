import { createHash, randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { lockPool } from "./lock-pool.ts";
import { statementMaxBytes } from "./payout.ts";
import { poolStatements } from "./schema.ts";
import { readStatement } from "./statement/read-statement.ts";

/**
 * Keeps a pool's file, byte for byte, with its SHA-256. Nothing is recorded by it: that is `importStatement`. The same
 * bytes again are the statement that is kept already. What cannot be read as a table is not kept.
 *
 * @throws Refusal `payouts/no-such-pool`, `payouts/file-empty`, `payouts/file-too-large`, as `readStatement` does, and as
 *   `actAsOperator` does
 */
export function keepStatement(
  db: Db,
  operator: ActingOperator,
  { poolId, name, content }: { poolId: string; name: string; content: Uint8Array },
  now: Date,
): Promise<{ statementId: string }> {
  return db.transaction(async (tx) => {
    const pool = await lockPool(tx, poolId);
    if (content.length === 0) throw new Refusal("payouts/file-empty");
    if (content.length > statementMaxBytes) throw new Refusal("payouts/file-too-large");
    readStatement(pool.format, content);
    const known = await findByContent(tx, poolId, content);
    if (known) return { statementId: known };
    const statementId = randomUUIDv7();
    const shown = fileName(name);
    const act = {
      act: "payouts/keep-statement" as const,
      subject: `statement:${statementId}`,
      detail: { pool: pool.name, file: shown, sha256: sha256(content).toString("hex") },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, actionId) =>
      insertStatement(inner, {
        statementId,
        poolId,
        name: shown,
        content,
        actionId,
        source: "file",
        askedHost: null,
        receivedAt: now,
      }),
    );
    return { statementId };
  });
}

/** What the worker was answered, kept in the transaction that records it. */
export async function keepAnswer(
  tx: Tx,
  answer: { poolId: string; name: string; content: Uint8Array; askedHost: string },
  now: Date,
): Promise<string> {
  const { poolId, content } = answer;
  const known = await findByContent(tx, poolId, content);
  if (known) return known;
  const statementId = randomUUIDv7();
  const kept = { ...answer, statementId, actionId: null };
  await insertStatement(tx, { ...kept, source: "api", receivedAt: now });
  return statementId;
}

async function findByContent(tx: Tx, poolId: string, content: Uint8Array): Promise<string | null> {
  const [known] = await tx
    .select({ id: poolStatements.id })
    .from(poolStatements)
    .where(and(eq(poolStatements.poolId, poolId), eq(poolStatements.sha256, sha256(content))));
  return known?.id ?? null;
}

async function insertStatement(
  tx: Tx,
  {
    statementId,
    ...statement
  }: {
    statementId: string;
    poolId: string;
    source: "file" | "api";
    name: string;
    content: Uint8Array;
    receivedAt: Date;
    actionId: string | null;
    askedHost: string | null;
  },
): Promise<void> {
  const { content } = statement;
  await tx
    .insert(poolStatements)
    .values({ id: statementId, ...statement, sha256: sha256(content) });
}

function sha256(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}

/** The sender's words, without a path and without what breaks a line or a header. */
function fileName(sent: string): string {
  const last = sent.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const clean = last.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}"<>|:*?]/gu, "").trim();
  return [...clean].slice(0, 150).join("") || "statement.csv";
}
