import { retention } from "#core/retention.ts";
import { and, asc, eq, gt, isNotNull, isNull, sql } from "#server/platform/sql.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { eraseOldKyc } from "./erase-kyc-of.ts";
import { kycDocuments } from "./schema.ts";

/** Documents given up in one statement: short locks, and a long list is worked off in several. */
const batch = 100;

interface Context {
  db: Db;
  files: FileStore;
  config: Pick<Config, "kyc">;
}

/**
 * Deletes documents whose time is over: some days after an approval, after a decision that declined, or after an upload
 * that nobody submitted; one that another took the place of, at once, unless a verifier saw it. First its key is destroyed,
 * so that the file is noise, then the file goes, then the row says so: whatever dies in between, the next sweep finishes it.
 * What was said for a verification that nobody submitted goes too, and what no law asks to keep of who left.
 */
export async function sweepDocuments(
  { db, files, config }: Context,
  now: Date,
): Promise<{ erased: number }> {
  const approvedDays = config.kyc.approvedDocumentDays;
  let erased = 0;
  const works = [
    () => deleteAbandonedDrafts(db, now),
    () => eraseOldKyc(db, now),
    async () => {
      while ((await destroyKeys(db, approvedDays, now)) === batch);
    },
    () =>
      runEach(
        inPages((after) => listErasing(db, after)),
        async ({ id, fileKey }) => {
          await files.delete(fileKey);
          await db.update(kycDocuments).set({ erasedAt: now }).where(eq(kycDocuments.id, id));
          erased += 1;
        },
      ),
  ];
  await runEach(works, (work) => work());
  return { erased };
}

function listErasing(db: Db, after: string) {
  const d = kycDocuments;
  return db
    .select({ id: d.id, fileKey: d.fileKey })
    .from(d)
    .where(and(isNotNull(d.erasingAt), isNull(d.erasedAt), gt(d.id, after)))
    .orderBy(asc(d.id))
    .limit(batch);
}

/** A document that is being submitted at this moment is locked, and left alone. */
async function destroyKeys(db: Db, approvedDays: number, now: Date): Promise<number> {
  const at = now.toISOString();
  const unapproved = sql`make_interval(days => ${retention.unapprovedDocumentDays}::int)`;
  const { rowCount } = await db.execute(sql`
    update kyc_documents
       set erasing_at = ${at}::timestamptz, key_id = null, wrapped_key = null, original_name = ''
     where id in (
       select d.id
         from kyc_documents d
         left join lateral (
           select bool_or(v.state = 'submitted') as waits,
                  bool_or(v.state in ('approved', 'expired')) as approved,
                  max(v.decided_at) as decided_at
             from kyc_submission_documents s
             join kyc_submissions v on v.id = s.submission_id
            where s.document_id = d.id) used on true
        where d.erasing_at is null
          and used.waits is not true
          and case
                when used.approved then
                  used.decided_at <= ${at}::timestamptz - make_interval(days => ${approvedDays}::int)
                when used.decided_at is not null then used.decided_at <= ${at}::timestamptz - ${unapproved}
                when d.stored_at is null then d.created_at <= ${at}::timestamptz - interval '1 hour'
                else d.replaced_at is not null or d.created_at <= ${at}::timestamptz - ${unapproved}
              end
        limit ${batch}
        for update of d skip locked)`);
  return rowCount ?? 0;
}

async function deleteAbandonedDrafts(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from kyc_drafts d
     where d.updated_at <= ${now.toISOString()}::timestamptz
             - make_interval(days => ${retention.unapprovedDocumentDays}::int)
       and not exists (
         select from kyc_submissions v
          where v.customer_id = d.customer_id and v.state = 'submitted')`);
}
