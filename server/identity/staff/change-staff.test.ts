import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { OperatorRole } from "#core/permissions.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { changeStaff } from "./change-staff.ts";
import { confirmStaffChange, declineStaffChange } from "./decide-staff-change.ts";
import { findStaffMember, listStaff } from "./list-staff.ts";
import { listOpenStaffChanges, listPastStaffChanges } from "./list-staff-changes.ts";
import type { Operator } from "./operator.ts";
import { renewInvitation } from "./renew-invitation.ts";
import type { StaffChange } from "./staff-change.ts";
import { suspendFromServer } from "./suspend-from-server.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const circumstances = { site: testSite, now };

/** Somebody who has set a password. */
async function createStaff(role: OperatorRole = "owner"): Promise<Operator> {
  const operator = await createTestOperator(db, { role });
  await owner.query(
    "update credentials set password = '$argon2id$v=19$m=1$test' where user_id = $1",
    [operator.id],
  );
  return operator;
}

/** Each test has its own owners: those of the one before are only supporters now. */
beforeEach(async () => {
  const triggers = ["staff_are_changed_by_owners", "proposals_end_with_a_change_of_staff"];
  const switched = (how: string) =>
    triggers.map((name) => `alter table operators ${how} trigger ${name};`).join("\n");
  await owner.query(
    `${switched("disable")} update operators set role = 'support'; ${switched("enable always")}`,
  );
});

const suspendOf = (person: { id: string }): StaffChange => ({
  kind: "suspend",
  operatorId: person.id,
  reason: "Left the company.",
});
const stateOf = async (person: { id: string }) => {
  const { role, state } = (await findStaffMember(db, person.id)) ?? {};
  return { role, state };
};
async function propose(by: Operator, change: StaffChange, at = now): Promise<string> {
  expect(await changeStaff(db, by, change, { site: testSite, now: at })).toBe("proposed");
  return (await listOpenStaffChanges(db, at)).at(-1)?.id ?? "";
}
const confirm = (by: Operator, changeId: string, at = now) =>
  confirmStaffChange(db, by, { changeId, site: testSite, now: at });

test("one owner alone invites by mail, and the invited person has a day to set a password", async () => {
  const grace = await createStaff();
  const email = `alan-${randomUUID()}@example.com`;
  const invited = { kind: "invite", email, firstName: "Alan", lastName: "Turing" } as const;
  expect(await changeStaff(db, grace, { ...invited, role: "auditor" }, circumstances)).toBe("done");
  const alan = (await listStaff(db)).find((member) => member.email === email);
  expect(alan).toMatchObject({ name: "Alan Turing", role: "auditor", state: "invited" });
  const { rows } = await owner.query(
    `select m.template, m.holds_link, l.expires_at, a.act, a.operator_id, a.detail ->> 'role' as role
       from mails m join mailed_links l on l.user_id = m.user_id join operators o on o.id = m.user_id
       join audit_log a on a.id = o.created_by_act where m.recipient = $1`,
    [email],
  );
  expect(rows).toEqual([
    {
      template: "operator-invitation",
      holds_link: true,
      expires_at: later(1),
      act: "identity/invite-operator",
      operator_id: grace.id,
      role: "auditor",
    },
  ]);
  await renewInvitation(db, grace, { operatorId: alan?.id ?? "", ...circumstances });
  const links = await owner.query(
    "select revoked_at is null as open from mailed_links where user_id = $1 order by created_at, id",
    [alan?.id],
  );
  expect(links.rows).toEqual([{ open: false }, { open: true }]);
});

test("an address that has an account is not invited", async () => {
  const grace = await createStaff();
  const { email } = await createTestCustomer(db);
  const invited = { firstName: "A", lastName: "B", role: "support" } as const;
  for (const taken of [email, grace.email]) {
    await expect(
      changeStaff(db, grace, { kind: "invite", email: taken, ...invited }, circumstances),
    ).rejects.toThrow("identity/email-taken");
  }
});

test("a suspended operator is signed out everywhere, and their links end", async () => {
  const [grace, alan] = [await createStaff(), await createStaff("support")];
  await owner.query(
    `insert into sessions (id, user_id, token_sha256, expires_at, proved_by, proved_at, created_at)
     values (uuidv7(), $1::uuid, sha256($1::uuid::text::bytea), $2, 'totp', $2, $2)`,
    [alan.id, later(1)],
  );
  await owner.query(
    `insert into pending_mfa_sessions (id, user_id, token_sha256, remember_me, known_device, created_at, expires_at)
     values (uuidv7(), $1, 'half', false, false, $2, $2)`,
    [alan.id, later(1)],
  );
  await changeStaff(db, grace, suspendOf(alan), circumstances);
  expect(await stateOf(alan)).toEqual({ role: "support", state: "suspended" });
  const { rows } = await owner.query(
    `select (select count(*)::int from sessions where user_id = $1) as sessions,
            (select count(*)::int from pending_mfa_sessions where user_id = $1) as halves,
            (select count(*)::int from mailed_links where user_id = $1 and revoked_at is null) as links`,
    [alan.id],
  );
  expect(rows[0]).toEqual({ sessions: 0, halves: 0, links: 0 });
  const late = owner.query(
    `insert into sessions (id, user_id, token_sha256, expires_at, proved_by, proved_at, created_at)
     values (uuidv7(), $1, 'late', now(), 'passkey', now(), now())`,
    [alan.id],
  );
  await expect(late).rejects.toMatchObject({ constraint: "suspended_staff_have_no_sessions" });
  await changeStaff(
    db,
    grace,
    { kind: "reinstate", operatorId: alan.id, reason: "Back." },
    circumstances,
  );
  expect(await stateOf(alan)).toEqual({ role: "support", state: "active" });
});

test("with two owners nothing happens before the other one confirms, once", async () => {
  const [grace, olga] = [await createStaff(), await createStaff()];
  const alan = await createStaff("support");
  const role: StaffChange = {
    kind: "change-role",
    operatorId: alan.id,
    role: "approver",
    reason: "More to do.",
  };
  const id = await propose(grace, role);
  expect(await stateOf(alan)).toMatchObject({ role: "support" });
  await expect(confirm(grace, id)).rejects.toThrow("identity/own-proposal");
  const both = await Promise.allSettled([confirm(olga, id), confirm(olga, id)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await stateOf(alan)).toMatchObject({ role: "approver" });
  const { rows } = await owner.query(
    "select act, operator_id, detail ->> 'proposedBy' as by from audit_log where subject = $1 and operator_id is not null order by position",
    [`operator:${alan.id}`],
  );
  expect(rows).toEqual([
    { act: "identity/propose-staff-change", operator_id: grace.id, by: null },
    { act: "identity/change-role", operator_id: olga.id, by: grace.id },
  ]);
  const [past] = await listPastStaffChanges(db, now);
  expect(past).toMatchObject({ id, state: "confirmed", decidedBy: "Grace Hopper" });
});

test("an invitation is mailed when the second owner has confirmed it", async () => {
  const [grace, olga] = [await createStaff(), await createStaff()];
  const email = `ada-${randomUUID()}@example.com`;
  const invited = { kind: "invite", email, firstName: "Ada", lastName: "Byron" } as const;
  const id = await propose(grace, { ...invited, role: "owner" });
  const mails = () => owner.query("select from mails where recipient = $1", [email]);
  expect((await mails()).rowCount).toBe(0);
  await expect(
    changeStaff(db, olga, { ...invited, role: "support" }, circumstances),
  ).rejects.toThrow("identity/already-proposed");
  await confirm(olga, id);
  expect((await mails()).rowCount).toBe(1);
  expect((await listStaff(db)).find((member) => member.email === email)).toMatchObject({
    role: "owner",
    state: "invited",
  });
});

test("of two owners nobody proposes what the other one alone could confirm", async () => {
  const [grace, olga] = [await createStaff(), await createStaff()];
  const demote: StaffChange = {
    kind: "change-role",
    operatorId: olga.id,
    role: "auditor",
    reason: "Left.",
  };
  for (const change of [suspendOf(olga), demote]) {
    await expect(changeStaff(db, grace, change, circumstances)).rejects.toThrow(
      "identity/nobody-could-confirm",
    );
  }
  // Herself, the other one can.
  await confirm(olga, await propose(grace, suspendOf(grace)));
  expect(await stateOf(grace)).toMatchObject({ state: "suspended" });
});

test("a command on the server suspends one of two owners, and both read of it", async () => {
  const [grace, olga] = [await createStaff(), await createStaff()];
  const order = { email: olga.email, reason: "Does not answer.", now };
  await suspendFromServer(db, testSite, order);
  expect(await stateOf(olga)).toMatchObject({ role: "owner", state: "suspended" });
  const { rows: acts } = await owner.query(
    "select operator_id, detail from audit_log where subject = $1 and act = 'identity/suspend-operator'",
    [`operator:${olga.id}`],
  );
  expect(acts).toEqual([{ operator_id: null, detail: { reason: "Does not answer." } }]);
  const { rows: mails } = await owner.query(
    "select recipient from mails where template = 'staff-suspended'",
  );
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([grace.email, olga.email].sort());
  await expect(suspendFromServer(db, testSite, order)).rejects.toThrow(
    "identity/nothing-to-change",
  );
  const last = { ...order, email: grace.email };
  await expect(suspendFromServer(db, testSite, last)).rejects.toThrow("identity/last-owner");
  const nobody = { ...order, email: "nobody@example.com" };
  await expect(suspendFromServer(db, testSite, nobody)).rejects.toThrow(
    "identity/no-such-operator",
  );
  // From now on she decides alone.
  const back: StaffChange = { kind: "reinstate", operatorId: olga.id, reason: "She answered." };
  expect(await changeStaff(db, grace, back, circumstances)).toBe("done");
});

test("proposals about and by an operator who is suspended on the server end automatically", async () => {
  const [grace, olga, alan] = [await createStaff(), await createStaff(), await createStaff()];
  const peter = await createStaff("support");
  const about = await propose(grace, suspendOf(olga));
  const byHer = await propose(olga, suspendOf(peter));
  const invited = { kind: "invite", email: `ida-${randomUUID()}@example.com` } as const;
  const named = { firstName: "Ida", lastName: "Rhodes", role: "support" } as const;
  const alsoByHer = await propose(olga, { ...invited, ...named });
  const other = await propose(grace, suspendOf(alan));
  await suspendFromServer(db, testSite, { email: olga.email, reason: "Lost.", now: later(1) });
  expect((await listOpenStaffChanges(db, later(1))).map(({ id }) => id)).toEqual([other]);
  const past = new Map((await listPastStaffChanges(db, later(1))).map((each) => [each.id, each]));
  const ended = { state: "ended", decidedBy: null, decidedAt: later(1) };
  const act = "identity/suspend-operator";
  expect(past.get(about)).toMatchObject({ ...ended, endedBy: { act, who: "concerned" } });
  expect(past.get(byHer)).toMatchObject({ ...ended, endedBy: { act, who: "proposer" } });
  expect(past.get(alsoByHer)).toMatchObject({ ...ended, endedBy: { act, who: "proposer" } });
  await expect(confirm(alan, about, later(1))).rejects.toThrow("identity/proposal-ended");
  // She can be let in again at once, by two.
  const back: StaffChange = { kind: "reinstate", operatorId: olga.id, reason: "Found." };
  await confirm(alan, await propose(grace, back, later(1)), later(1));
  expect(await stateOf(olga)).toMatchObject({ state: "active" });
});

test("an owner who never set a password is nobody to wait for", async () => {
  const grace = await createStaff();
  const invited = await createTestOperator(db, { role: "owner" });
  expect(await changeStaff(db, grace, suspendOf(invited), circumstances)).toBe("done");
});

test("the person concerned neither confirms nor declines", async () => {
  const [grace, olga, alan] = [await createStaff(), await createStaff(), await createStaff()];
  const id = await propose(grace, suspendOf(olga));
  await expect(confirm(olga, id)).rejects.toThrow("identity/concerns-oneself");
  await expect(declineStaffChange(db, olga, { changeId: id, now })).rejects.toThrow(
    "identity/concerns-oneself",
  );
  expect(await declineStaffChange(db, alan, { changeId: id, now })).toBe("declined");
  await expect(confirm(alan, id)).rejects.toThrow("identity/proposal-decided");
  expect(await stateOf(olga)).toMatchObject({ state: "active" });
});

test("a proposal is taken back by who made it, expires after a week, and falls with its maker", async () => {
  const [grace, olga, alan] = [await createStaff(), await createStaff(), await createStaff()];
  const peter = await createStaff("support");
  const first = await propose(grace, suspendOf(peter));
  expect(await declineStaffChange(db, grace, { changeId: first, now })).toBe("withdrawn");
  const second = await propose(grace, suspendOf(peter));
  await expect(confirm(olga, second, later(7))).rejects.toThrow("identity/proposal-expired");
  expect((await listPastStaffChanges(db, later(7)))[0]).toMatchObject({
    id: second,
    state: "expired",
  });
  const third = await propose(grace, suspendOf(peter), later(7));
  await confirm(olga, await propose(alan, suspendOf(grace), later(7)), later(7));
  await expect(confirm(olga, third, later(8))).rejects.toThrow("identity/proposal-ended");
  expect(await stateOf(peter)).toMatchObject({ state: "active" });
});

test("the last owner stays, and nobody but owners changes staff", async () => {
  const grace = await createStaff();
  await createTestOperator(db, { role: "owner" });
  await expect(changeStaff(db, grace, suspendOf(grace), circumstances)).rejects.toThrow(
    "identity/last-owner",
  );
  const alan = await createStaff("auditor");
  await expect(changeStaff(db, alan, suspendOf(grace), circumstances)).rejects.toThrow(
    /last-owner|not-permitted/,
  );
  const peter = await createStaff("support");
  await expect(changeStaff(db, alan, suspendOf(peter), circumstances)).rejects.toThrow(
    "identity/not-permitted",
  );
  await expect(
    changeStaff(db, grace, suspendOf({ id: randomUUID() }), circumstances),
  ).rejects.toThrow("identity/no-such-operator");
});

/** An act in the audit log, as the application could write one. */
async function writeAct(
  operatorId: string | null,
  subject: string,
  act = "identity/suspend-operator",
  role: OperatorRole | null = null,
): Promise<string> {
  const id = randomUUID();
  await db.$client.query(
    "insert into audit_log (id, act, operator_id, subject, detail, occurred_at) values ($1, $2, $3, $4, $5, $6)",
    [id, act, operatorId, subject, { role }, now],
  );
  return id;
}

test("PostgreSQL refuses what the application forgot to ask", async () => {
  const [grace, olga] = [await createStaff(), await createStaff()];
  const [alan, auditor] = [await createStaff("support"), await createStaff("auditor")];
  const change = async (
    by: Operator,
    person: Operator,
    set: string,
    subject = `operator:${person.id}`,
  ) =>
    db.$client.query(`update operators set ${set}, changed_by_act = $1 where id = $2`, [
      set.startsWith("role")
        ? await writeAct(by.id, subject, "identity/change-role", "owner")
        : await writeAct(by.id, subject),
      person.id,
    ]);
  await expect(change(grace, alan, "role = 'owner'")).rejects.toThrow("needs a second owner");
  await expect(change(grace, alan, "state = 'suspended'")).rejects.toThrow("needs a second owner");
  await expect(change(grace, alan, "role = 'owner'", "operator:other")).rejects.toThrow(
    "the last act on them",
  );
  await expect(change(auditor, alan, "role = 'owner'")).rejects.toThrow("only owners change staff");
  const proposal = async (set: Record<string, unknown>) => {
    const row = {
      id: randomUUID(),
      kind: "suspend",
      operator_id: alan.id,
      proposed_by: grace.id,
      proposed_by_act: await writeAct(
        grace.id,
        `operator:${set["operator_id"] ?? alan.id}`,
        "identity/propose-staff-change",
      ),
      proposed_at: now,
      expires_at: later(7),
      ...set,
    };
    const names = Object.keys(row);
    await db.$client.query(
      `insert into staff_changes (${names}) values (${names.map((_, place) => `$${place + 1}`)})`,
      Object.values(row),
    );
    return row.id;
  };
  await expect(proposal({ expires_at: later(700) })).rejects.toThrow("expire_after_7_days");
  await expect(proposal({ proposed_by: auditor.id })).rejects.toThrow(
    "only owners decide about staff",
  );
  await expect(proposal({ proposed_by: olga.id })).rejects.toThrow("an act of who decides");
  const acts: Record<string, string> = {
    declined: "identity/decline-staff-change",
    withdrawn: "identity/withdraw-staff-change",
  };
  const decide = async (
    id: string,
    by: Operator,
    at = now,
    state = "confirmed",
    about: { id: string } = alan,
  ) =>
    db.$client.query(
      "update staff_changes set state = $2, decided_by = $3, decided_by_act = $4, decided_at = $5 where id = $1",
      [id, state, by.id, await writeAct(by.id, `operator:${about.id}`, acts[state]), at],
    );
  const id = await proposal({});
  await expect(decide(id, grace)).rejects.toThrow("nobody_confirms_his_own_proposal");
  await expect(decide(id, olga, later(8))).rejects.toThrow("nothing_is_confirmed_too_late");
  await expect(decide(id, auditor)).rejects.toThrow("only owners decide about staff");
  await expect(decide(id, olga, now, "withdrawn")).rejects.toThrow("who_proposed_may_withdraw");
  const own = await proposal({ operator_id: olga.id });
  await expect(decide(own, olga, now, "confirmed", olga)).rejects.toThrow(
    "nobody_decides_about_himself",
  );
  await decide(id, olga);
  await expect(decide(id, olga, now, "declined")).rejects.toThrow(
    "a decision about staff is for good",
  );
  const open = await proposal({});
  for (const by of [grace, alan]) {
    const end = owner.query(
      "update staff_changes set state = 'ended', ended_by_act = $2, decided_at = $3 where id = $1",
      [open, await writeAct(by.id, `operator:${alan.id}`), now],
    );
    await expect(end).rejects.toThrow("a proposal ends by itself when");
  }
  await expect(db.$client.query("update staff_changes set ended_by_act = id")).rejects.toThrow(
    "permission denied",
  );
  await expect(db.$client.query("update staff_changes set role = 'owner'")).rejects.toThrow(
    "permission denied",
  );
  await expect(owner.query("delete from staff_changes")).rejects.toThrow(
    "a decision about staff is for good",
  );
});

test("the last two owners cannot suspend each other at the same moment", async () => {
  const [grace, olga] = [await createStaff(), await createStaff()];
  const suspend = async (person: Operator) =>
    owner.query("update operators set state = 'suspended', changed_by_act = $2 where id = $1", [
      person.id,
      await writeAct(null, `operator:${person.id}`),
    ]);
  const both = await Promise.allSettled([suspend(grace), suspend(olga)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const failed = both.find((each) => each.status === "rejected");
  expect(String(failed?.reason)).toContain("the last owner stays");
});
