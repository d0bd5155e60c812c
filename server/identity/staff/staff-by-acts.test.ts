import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { changeStaff } from "./change-staff.ts";
import { confirmStaffChange } from "./decide-staff-change.ts";
import { listOpenStaffChanges } from "./list-staff-changes.ts";

const { db } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const [grace, alan, tessa] = [
  await createTestOperator(db, { canAct: true, now }),
  await createTestOperator(db, { canAct: true, now }),
  await createTestOperator(db, { role: "treasurer", canAct: true, now }),
];

/** As somebody with the application's role and nothing else: all or nothing. */
async function asApplication(statements: Array<[string, unknown[]]>): Promise<void> {
  const client = await db.$client.connect();
  try {
    await client.query("begin");
    for (const [text, values] of statements) await client.query(text, values);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const act = (id: string, name: string, by: string, subject: string, role: string | null = null) =>
  [
    "insert into audit_log (id, act, operator_id, subject, detail, occurred_at) values ($1, $2, $3, $4, $5, $6)",
    [id, name, by, subject, { role }, now],
  ] as [string, unknown[]];
const propose = "identity/propose-staff-change";

/** What two owners would say, by acts of other names. */
function inviting(names: { proposed: string; confirmed: string; subject?: string }) {
  const [eve, proposed, confirmed, change] = [1, 2, 3, 4].map(() => randomUUID()) as [
    string,
    string,
    string,
    string,
  ];
  const email = `eve-${eve}@example.com`;
  const id = names.confirmed === "identity/invite-operator" ? change : eve;
  return asApplication([
    act(proposed, names.proposed, grace.id, names.subject ?? `staff-change:${change}`),
    act(confirmed, names.confirmed, alan.id, `operator:${id}`, "owner"),
    [
      `insert into users (id, kind, email, first_name, last_name, email_verified, created_at, updated_at)
       values ($1, 'operator', $2, 'Eve', 'Evil', true, $3, $3)`,
      [id, email, now],
    ],
    [
      `insert into staff_changes (id, kind, email, first_name, last_name, role, proposed_by, proposed_by_act, proposed_at, expires_at)
       values ($1, 'invite', $2, 'Eve', 'Evil', 'owner', $3, $4, $5, $5::timestamptz + interval '168 hours')`,
      [change, email, grace.id, proposed, now],
    ],
    [
      "update staff_changes set state = 'confirmed', decided_by = $2, decided_by_act = $3, decided_at = $4 where id = $1",
      [change, alan.id, confirmed, now],
    ],
    [
      "insert into operators (id, role, state, created_at, created_by_act) values ($1, 'owner', 'active', $2, $3)",
      [id, now, confirmed],
    ],
  ]);
}

test.each([
  [
    "a proposal by another act",
    { proposed: "content/save-draft", confirmed: "identity/invite-operator" },
  ],
  ["a confirmation by another act", { proposed: propose, confirmed: "content/save-draft" }],
  [
    "a confirmation by another decision",
    { proposed: propose, confirmed: "identity/decline-staff-change" },
  ],
  [
    "a proposal about somebody else",
    {
      proposed: propose,
      confirmed: "identity/invite-operator",
      subject: `operator:${randomUUID()}`,
    },
  ],
])("nobody becomes an owner by %s", async (_, names) => {
  await expect(inviting(names)).rejects.toThrow("a decision about staff is an act of who decides");
});

test("with the acts that it takes, somebody does", async () => {
  await inviting({ proposed: propose, confirmed: "identity/invite-operator" });
});

test("a role is not given by a suspension, by an invitation, by another role's act, or by an act that was carried out before", async () => {
  const give = async (role: string) => {
    const change = { kind: "change-role", operatorId: tessa.id, role, reason: "" } as never;
    await changeStaff(db, grace, change, { site: testSite, now });
    const id = (await listOpenStaffChanges(db, now)).at(-1)?.id ?? "";
    await confirmStaffChange(db, alan, { changeId: id, site: testSite, now });
  };
  await give("approver");
  const { rows } = await db.$client.query(
    "select changed_by_act as id from operators where id = $1",
    [tessa.id],
  );
  await give("support");
  const again = "update operators set role = 'approver', changed_by_act = $2 where id = $1";
  const refused = { message: expect.stringMatching(/^staff are changed by the last act on them/) };
  await expect(db.$client.query(again, [tessa.id, rows[0].id])).rejects.toMatchObject(refused);
  for (const [name, role] of [
    ["identity/suspend-operator", "approver"],
    ["identity/invite-operator", "approver"],
    ["identity/change-role", "treasurer"],
  ] as const) {
    const id = randomUUID();
    const tried = asApplication([
      act(id, name, grace.id, `operator:${tessa.id}`, role),
      [again, [tessa.id, id]],
    ]);
    await expect(tried, name).rejects.toMatchObject(refused);
  }
  const unchanged = "update operators set changed_by_act = $2 where id = $1";
  await expect(db.$client.query(unchanged, [tessa.id, rows[0].id])).rejects.toThrow(
    "who is not changed names no other act",
  );
});
