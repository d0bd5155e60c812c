import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { suspendFromServer } from "#server/identity/staff/suspend-from-server.ts";
import { testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner } = product;
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const graces = await signInAs(product, grace);

async function read(path: string, cookie = graces) {
  const answer = await product.request(path, { cookie });
  return { status: answer.status, html: plain(await answer.text()) };
}

async function send(path: string, form: Record<string, string>, cookie = graces) {
  const answer = await product.request(path, { cookie, form });
  const { status } = answer;
  return {
    status,
    location: answer.headers.get("location"),
    html: plain(await answer.text()),
    answer,
  };
}

/** A page as it is read: without what React and the data behind it add. */
function plain(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'");
}

const invitation = (email: string) => ({
  intent: "invite",
  email,
  firstName: "Ida",
  lastName: "Rhodes",
  role: "auditor",
});
const idOf = async (email: string) => {
  const { rows } = await owner.query("select id from users where email = $1", [email]);
  return rows[0]?.id;
};

test("an owner alone invites, changes a role and suspends; each is seen on the page at once", async () => {
  const email = `ida-${randomUUID()}@example.com`;
  const invited = await send("/operator/staff", invitation(email));
  expect(invited).toMatchObject({ status: 302, location: "/operator/staff" });
  const after = await read("/operator/staff", `${graces}; ${cookiesOf(invited.answer)}`);
  expect(after.html).toContain("The invitation is on its way by e-mail");
  expect(after.html).toContain(email);
  const page = `/operator/staff/${await idOf(email)}`;
  expect((await read(page)).html).toContain("Mail a new link");
  expect((await send(page, { intent: "renew" })).location).toBe(page);
  const role = { intent: "change-role", role: "support", reason: "Helps out." };
  expect((await send(page, role)).location).toBe(page);
  expect((await read(page)).html).toContain("support: answers customers");
  expect((await send(page, { intent: "suspend", reason: "Left." })).location).toBe(page);
  const { html } = await read(page);
  expect(html).toContain("Reinstate");
  expect(html).not.toContain("Change the role");
  const again = await send(page, { intent: "suspend", reason: "Left." });
  expect(again.status).toBe(409);
  expect(again.html).toContain("It is like that already");
});

test("what is wrong is said at its field, and what was typed stays", async () => {
  const wrong = { ...invitation("nobody"), lastName: "", role: "king" };
  const { status, html } = await send("/operator/staff", wrong);
  expect(status).toBe(400);
  expect(html).toContain("This is no e-mail address");
  expect(html).toContain("Enter the last name");
  expect(html).toContain("Choose a role");
  expect(html).toContain('value="nobody"');
  expect(html).toContain('value="Ida"');
  const taken = await send("/operator/staff", invitation(grace.email.toUpperCase()));
  expect(taken.status).toBe(400);
  expect(taken.html).toContain("This address has an account already");
  const self = `/operator/staff/${grace.id}`;
  const offered = (await read(self)).html;
  expect(offered).toContain("The last owner who can act");
  expect(offered).not.toMatch(/value="(change-role|suspend)"/);
  expect((await send(self, { intent: "suspend", reason: " " })).html).toContain("Write why");
  const last = await send(self, { intent: "suspend", reason: "Tired." });
  expect(last.status).toBe(409);
  expect(last.html).toContain("This is the last owner who can act");
  expect(last.html).toContain("Tired.");
});

test("with a second owner a change is proposed, seen by all staff, and decided by that owner alone", async () => {
  const olga = await createTestOperator(db, { firstName: "Olga", lastName: "Prober" });
  const olgas = await signInAs(product, olga);
  const support = await createTestOperator(db, {
    role: "support",
    firstName: "Sam",
    lastName: "Hall",
  });
  const supports = await signInAs(product, support);
  const email = `ann-${randomUUID()}@example.com`;
  expect((await send("/operator/staff", invitation(email))).location).toBe("/operator/staff");
  expect(await idOf(email)).toBeUndefined();
  const { rows } = await owner.query("select id from staff_changes where email = $1", [email]);
  const changeId: string = rows[0].id;
  const mine = (await read("/operator/staff")).html;
  expect(mine).toContain("Waiting for a second owner");
  expect(mine).toContain('value="withdraw"');
  expect(mine).not.toContain('value="confirm"');
  expect((await read("/operator/staff", olgas)).html).toContain('value="confirm"');
  const seen = (await read("/operator/staff", supports)).html;
  expect(seen).toContain(email);
  expect(seen).not.toMatch(/value="(confirm|decline|withdraw|invite)"/);
  const own = await send("/operator/staff", { intent: "confirm", changeId });
  expect(own.status).toBe(409);
  expect(own.html).toContain("Another owner has to confirm what you proposed");
  expect((await send("/operator/staff", { intent: "confirm", changeId }, supports)).status).toBe(
    403,
  );
  expect((await send("/operator/staff", { intent: "confirm", changeId }, olgas)).status).toBe(302);
  expect(await idOf(email)).toBeDefined();
  const twice = await send("/operator/staff", { intent: "decline", changeId }, olgas);
  expect(twice.status).toBe(409);
  expect(twice.html).toContain("This is decided already");
  expect(twice.html).toContain("Confirmed");
});

test("a proposal about who was suspended on the server is over, says why, and hides no form", async () => {
  const sam = await createTestOperator(db, {
    role: "support",
    firstName: "Samuel",
    lastName: "Pepys",
  });
  const page = `/operator/staff/${sam.id}`;
  const role = { intent: "change-role", role: "auditor", reason: "Reads only." };
  expect((await send(page, role)).location).toBe("/operator/staff");
  expect((await read(page)).html).toContain("A change waits for a second owner");
  const order = { email: sam.email, reason: "The device is lost.", now: new Date() };
  await suspendFromServer(db, testSite, order);
  expect((await read("/operator/staff")).html).toContain("Samuel Pepys was suspended, ");
  const { html } = await read(page);
  expect(html).not.toContain("A change waits for a second owner");
  expect(html).toContain('value="reinstate"');
});

test("the only other owner is told to be suspended on the server, not proposed to himself", async () => {
  const { rows } = await owner.query(
    `select o.id, u.email from operators o join users u on u.id = o.id
      where o.role = 'owner' and o.state = 'active' and o.id <> $1`,
    [grace.id],
  );
  const [olga] = rows;
  const page = `/operator/staff/${olga.id}`;
  const { html } = await read(page);
  expect(html).toContain("The only other owner who can act");
  expect(html.replaceAll("<!-- -->", "")).toContain(`npm run operator -- suspend ${olga.email}`);
  expect(html).not.toMatch(/value="(change-role|suspend)"/);
  const refused = await send(page, { intent: "suspend", reason: "Left." });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("only the one whom this concerns could confirm it");
});

test("whoever is suspended is out with the next request", async () => {
  const sam = await createTestOperator(db, { role: "support" });
  const sams = await signInAs(product, sam);
  expect((await read("/operator", sams)).status).toBe(200);
  const page = `/operator/staff/${sam.id}`;
  expect((await read(page)).html).not.toContain("The last owner who can act");
  await send(page, { intent: "suspend", reason: "Left." });
  // What waits already is decided there: a second form would be refused.
  const waiting = (await read(page)).html;
  expect(waiting).toContain("A change waits for a second owner");
  expect(waiting).not.toMatch(/value="(change-role|suspend)"/);
  const olga = await createTestOperator(db, { firstName: "Olga" });
  const { rows } = await owner.query("select id from staff_changes where operator_id = $1", [
    sam.id,
  ]);
  const olgas = await signInAs(product, olga);
  await send("/operator/staff", { intent: "confirm", changeId: rows[0].id }, olgas);
  const answer = await product.request("/operator", { cookie: sams });
  expect(answer.headers.get("location")).toContain("/login");
});

test.each(["/operator/staff/1", `/operator/staff/${randomUUID()}`])(
  "%s does not exist",
  async (path) => {
    expect((await read(path)).status).toBe(404);
  },
);

test("everybody on the staff sees who may do what", async () => {
  const { html } = await read("/operator/staff");
  expect(html).toContain("Who may do what");
  expect(html).toContain("deposits/approve");
});
