import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isApproval, type Permission, permissions } from "#core/permissions.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPasskey } from "#tests/factories/passkey.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { actAsOperator } from "./act-as-operator.ts";
import { type Approval, type ApprovalQuestion, isAsked, issueAsked } from "./approval.ts";
import { verifyAuditLog } from "./verify-audit-log.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const appUrl = "https://assay.example";
const auth = { secret: "s".repeat(32), secretBefore: null, secureCookies: true };
const olga = await createTestOperator(db);
const passkey = await createTestPasskey(db, olga.id);

class Asked extends Error {
  readonly question: ApprovalQuestion;
  constructor(question: ApprovalQuestion) {
    super("asked");
    this.question = question;
  }
}

function approval(given: Partial<Approval> = {}): Approval {
  return {
    site: { siteName: "Assay", appUrl },
    asked: issueAsked(auth, olga.id, now),
    given: null,
    fault: null,
    ask: async (question) => new Asked(question),
    ...given,
  };
}

const confirm = (
  subject: string,
  detail: Record<string, string>,
  given: Approval | undefined,
  by = olga,
) =>
  actAsOperator(
    db,
    { ...by, ...(given && { approval: given }) },
    { act: "payouts/confirm", subject, detail, now },
    async (_, auditId) => auditId,
  );

/** Asks, and answers with the passkey; `other`: what was shown was another act. */
async function approve(subject: string, detail: Record<string, string>, other = detail) {
  const first = approval();
  const { question } = (await confirm(subject, other, first).catch((error) => error)) as Asked;
  const given = passkey.sign(appUrl, question.options.challenge);
  return { first, act: () => confirm(subject, detail, { ...first, given }) };
}

async function faults(tampering: string[] = []): Promise<string[]> {
  const client = await owner.connect();
  const tables = ["audit_log", "audit_chain", "passkeys"];
  try {
    for (const table of tables) {
      await client.query(`alter table ${table} disable trigger all`);
      await client.query(`create temporary table ${table}_before as table ${table}`);
    }
    for (const statement of tampering) await client.query(statement);
    const wrong = (await verifyAuditLog(db)).filter(({ holds }) => !holds);
    return wrong.map(({ detail }) => detail);
  } finally {
    for (const table of tables.toReversed()) await client.query(`delete from ${table}`);
    await client.query("insert into audit_log overriding system value table audit_log_before");
    await client.query("insert into audit_chain table audit_chain_before");
    await client.query("insert into passkeys table passkeys_before");
    for (const table of tables) {
      await client.query(`drop table ${table}_before`);
      await client.query(`alter table ${table} enable trigger all`);
      const { rows } = await client.query(
        "select tgname from pg_trigger where tgrelid = $1::regclass and not tgisinternal",
        [table],
      );
      for (const { tgname } of rows) {
        await client.query(`alter table ${table} enable always trigger ${tgname}`);
      }
    }
    client.release();
  }
}

/** The whole chain anew, as who owns the tables can. */
const chainAnew = `do $$ declare l audit_chain; a audit_log; previous bytea := decode(repeat('00', 32), 'hex'); begin
  for l in select * from audit_chain order by link loop
    select * into a from audit_log where id = l.act_id;
    update audit_chain set previous_hash = previous, hash = audit_hash(l.link, previous, a) where link = l.link
      returning hash into previous;
  end loop; end $$`;

test("an approval of who has a passkey is asked about, signed as it is written down, and checked", async () => {
  const subject = `payout:${randomUUID()}`;
  const asked = await confirm(subject, { btc: "1.5" }, approval()).catch((error) => error);
  expect(asked).toBeInstanceOf(Asked);
  const { question } = asked as Asked;
  expect(question.text).toContain('"act": "payouts/confirm"');
  expect(question.text).toContain('"detail btc": "1.5"');
  expect(question.options).toMatchObject({ rpId: "assay.example", userVerification: "required" });
  const { rowCount } = await owner.query("select from audit_log where subject = $1", [subject]);
  expect(rowCount).toBe(0);
  const id = await (await approve(subject, { btc: "1.5" })).act();
  const { rows } = await owner.query("select detail from audit_log where id = $1", [id]);
  expect(rows[0].detail).toMatchObject({ btc: "1.5", passkey: { credential: passkey.credential } });
  expect(await faults()).toEqual([]);
});

test("what changed between the question and the answer is asked about again, and nothing is done", async () => {
  const subject = `payout:${randomUUID()}`;
  const { act } = await approve(subject, { btc: "15" }, { btc: "1.5" });
  const again = await act().catch((error) => error);
  expect(again).toBeInstanceOf(Asked);
  expect((again as Asked).question.fault).toContain("was not signed as it is now");
  expect((again as Asked).question.text).toContain('"detail btc": "15"');
});

test("a signature approves once, and another person's approves nothing", async () => {
  const subject = `payout:${randomUUID()}`;
  const detail = { btc: "2" };
  const first = approval();
  const { question } = (await confirm(subject, detail, first).catch((error) => error)) as Asked;
  const given = passkey.sign(appUrl, question.options.challenge);
  await confirm(subject, detail, { ...first, given });
  const again = confirm(subject, detail, { ...first, given });
  await expect(again).rejects.toBeInstanceOf(Asked);
  const copied = owner.query(
    `insert into audit_log (id, act, operator_id, subject, detail, occurred_at)
     select uuidv7(), act, operator_id, subject, detail, occurred_at from audit_log where subject = $1`,
    [subject],
  );
  await expect(copied).rejects.toMatchObject({ constraint: "one_act_per_signature" });
  const ben = await createTestOperator(db);
  await createTestPasskey(db, ben.id);
  const stolen = db.$client.query(
    `insert into audit_log (id, act, operator_id, subject, detail, occurred_at)
     values ($1, 'payouts/confirm', $2, 'payout:1', $3, now())`,
    [randomUUID(), ben.id, { passkey: { asked: "1", credential: passkey.credential } }],
  );
  await expect(stolen).rejects.toMatchObject({
    constraint: "acts_are_signed_with_ones_own_passkey",
  });
});

test("who writes SQL as the application approves nothing in the name of a person who has a passkey", async () => {
  for (const act of [
    "payouts/confirm",
    "withdrawals/order-broadcast",
    "identity/invite-operator",
  ]) {
    const tried = db.$client.query(
      "insert into audit_log (id, act, operator_id, subject, occurred_at) values ($1, $2, $3, 'payout:1', now())",
      [randomUUID(), act, olga.id],
    );
    await expect(tried, act).rejects.toMatchObject({
      constraint: "approvals_are_signed_where_there_is_a_passkey",
    });
  }
  await expect(confirm("payout:1", {}, undefined)).rejects.toMatchObject({
    code: "identity/passkey-needed",
  });
  const swapped = owner.query("update passkeys set public_key = '\\x00' where user_id = $1", [
    olga.id,
  ]);
  await expect(swapped).rejects.toMatchObject({ constraint: "passkeys_stay_what_they_are" });
});

test("who has no passkey approves as before, and the audit row says so", async () => {
  const grace = await createTestOperator(db);
  const id = await confirm("payout:2", { btc: "1" }, undefined, grace);
  const { rows } = await owner.query("select detail from audit_log where id = $1", [id]);
  expect(rows[0].detail).toEqual({ btc: "1", approvedWith: "code" });
  // Once the passkey is gone the chain knows that, and a code will do again.
  const ben = await createTestOperator(db);
  await createTestPasskey(db, ben.id);
  await db.$client.query("delete from passkeys where user_id = $1", [ben.id]);
  await confirm("payout:3", { btc: "1" }, undefined, ben);
  expect(await faults()).toEqual([]);
});

test("verification names what was changed after it was approved, with the whole chain written anew", async () => {
  const subject = `payout:${randomUUID()}`;
  await (await approve(subject, { btc: "1" })).act();
  const of = `where subject = '${subject}'`;
  const named = expect.stringContaining(`payouts/confirm on ${subject}`);
  const not = (words: string) => expect.stringMatching(`payouts/confirm on ${subject}.*${words}`);
  const lies: [string, unknown][] = [
    [
      `update audit_log set detail = jsonb_set(detail, '{btc}', '"9"') ${of}`,
      not("not what was signed"),
    ],
    [
      `update audit_log set subject = 'payout:other' ${of}`,
      expect.stringContaining("not what was signed"),
    ],
    [`update audit_log set detail = detail - 'passkey' ${of}`, not("not signed")],
    [
      `update audit_log set occurred_at = occurred_at + interval '1 day' ${of}`,
      not("another time"),
    ],
    [
      `update audit_log set detail = jsonb_set(detail, '{passkey,signature}', '"AAAA"') ${of}`,
      named,
    ],
  ];
  for (const [lie, fault] of lies) expect(await faults([lie, chainAnew]), lie).toEqual([fault]);
  // Another key in the place of Olga's: in the table alone, and in the chain's note as well.
  const swap = `update passkeys set public_key = '\\x00' where user_id = '${olga.id}'`;
  expect(await faults([swap])).toEqual([expect.stringContaining("is not as it was added")]);
  const noted = `update audit_log set detail = jsonb_set(detail, '{publicKey}', '"AA"')
    where act = 'identity/note-passkey-added' and subject = 'operator:${olga.id}'`;
  expect(await faults([swap, noted, chainAnew])).toEqual([
    expect.stringContaining("is not what was signed"),
  ]);
});

test("a question is ours, for one person, and open for five minutes", () => {
  const asked = issueAsked(auth, olga.id, now);
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  expect(isAsked(auth, olga.id, asked, after(5))).toBe(true);
  expect(isAsked(auth, olga.id, asked, after(5.1))).toBe(false);
  expect(isAsked(auth, olga.id, asked, after(-1))).toBe(false);
  expect(isAsked(auth, randomUUID(), asked, now)).toBe(false);
  expect(isAsked({ ...auth, secret: "other" }, olga.id, asked, now)).toBe(false);
  for (const wrong of ["", ".", "x.y.z", asked.slice(0, -1), `1${asked}`]) {
    expect(isAsked(auth, olga.id, wrong, now), wrong).toBe(false);
  }
});

test("PostgreSQL and the table of permissions name the same approvals", async () => {
  for (const act of Object.keys(permissions) as Permission[]) {
    const { rows } = await owner.query("select is_approval($1) as signed", [act]);
    // Confirming a proposal is written down as the change itself.
    const isWritten = act !== "identity/confirm-staff-change";
    expect(rows[0].signed, act).toBe(isApproval(act) && isWritten);
  }
});
