import { and, asc, eq, gt, isNotNull, ne } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { KeyRing } from "../platform/files/key-ring.ts";
import { FileTampered, rewrapKey } from "../platform/files/sealed-file.ts";
import { documentBinding } from "./document.ts";
import { kycDocuments } from "./schema.ts";

const batch = 100;

/**
 * Wraps the key of every document under the ring's current key; the files stay as they are. May be run while the product
 * runs, and again after it was stopped half-way.
 *
 * @returns how many were wrapped anew, and the ids of those whose key cannot be opened: they stay as they are.
 */
export async function rewrapDocumentKeys(
  db: Db,
  ring: KeyRing,
): Promise<{ rewrapped: number; unreadable: string[] }> {
  const unreadable: string[] = [];
  let rewrapped = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const ids = await db.transaction(async (tx) => {
      const documents = await tx
        .select()
        .from(kycDocuments)
        .where(
          and(
            isNotNull(kycDocuments.wrappedKey),
            ne(kycDocuments.keyId, ring.currentId),
            gt(kycDocuments.id, after),
          ),
        )
        .orderBy(asc(kycDocuments.id))
        .limit(batch)
        .for("update");
      for (const document of documents) {
        const anew = rewrapOne(ring, document);
        if (!anew) unreadable.push(document.id);
        else {
          rewrapped += 1;
          await tx.update(kycDocuments).set(anew).where(eq(kycDocuments.id, document.id));
        }
      }
      return documents.map(({ id }) => id);
    });
    const last = ids.at(-1);
    if (last === undefined) return { rewrapped, unreadable };
    after = last;
  }
}

function rewrapOne(ring: KeyRing, document: typeof kycDocuments.$inferSelect) {
  const { keyId, wrappedKey } = document;
  if (!keyId || !wrappedKey) return null;
  try {
    return rewrapKey(ring, { keyId, wrappedKey }, documentBinding(document));
  } catch (error) {
    if (error instanceof FileTampered) return null;
    throw error;
  }
}
