import { readRows, text } from "./platform/database/read-rows.ts";
import type { Db } from "./platform/database.ts";
import { isFileKey } from "./platform/files/file-key.ts";
import type { FileStore } from "./platform/files/file-store.ts";
import { sql } from "./platform/sql.ts";

/** So many are looked for before it is asked which come next. */
const batchSize = 1_000;

/** Looks for every file that must be there: slips, documents, attachments, evidence and exports. */
export async function verifyFiles(db: Db, files: Pick<FileStore, "get">) {
  let after = "";
  let found = 0;
  const missing: string[] = [];
  for (;;) {
    const keys = await listKeys(db, after);
    for (const key of keys) {
      if (isFileKey(key) && (await files.get(key))) found += 1;
      else missing.push(key);
      after = key;
    }
    if (keys.length < batchSize) break;
  }
  const claim = "every file that is kept is in the file store";
  const detail =
    missing.length === 0 ? `${found} files` : `${missing.length} missing: ${missing[0]}`;
  return [{ claim, holds: missing.length === 0, detail }];
}

/** Neither what is on its way, nor what is given up or erased: such a row outlives its file. */
const kept = sql`(
  select file_key from deposit_slips where stored_at is not null and discarded_at is null and erased_at is null
  union all select file_key from contact_files where message_id is not null
  union all select file_key from kyc_documents where stored_at is not null and erasing_at is null
  union all select file_key from adjustment_evidence where stored_at is not null and discarded_at is null and erased_at is null
  union all select file_key from data_exports where state = 'ready') kept`;

/** Whatever any row says. */
const named = sql`(
  select file_key from deposit_slips union all select file_key from contact_files union all select file_key from kyc_documents
  union all select file_key from adjustment_evidence union all select file_key from data_exports) named`;

async function listKeys(db: Db, after: string): Promise<string[]> {
  const rows = await readRows(
    db,
    sql`select file_key from ${kept} where file_key collate "C" > ${after} order by file_key collate "C" limit ${batchSize}`,
    { file_key: text },
  );
  return rows.map(({ file_key }) => file_key);
}

/** Those of some files that a row names. */
export async function whichFilesAreNamed(db: Db, keys: string[]): Promise<string[]> {
  const asked = JSON.stringify(keys);
  const rows = await readRows(
    db,
    sql`select file_key from ${named} where file_key in (select jsonb_array_elements_text(${asked}::jsonb))`,
    { file_key: text },
  );
  return rows.map(({ file_key }) => file_key);
}
