import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type OperatorRole, operatorRoles } from "#core/permissions.ts";
import { defaultFaq } from "#server/content/default-faq.ts";
import { inviteTestimonial } from "#server/content/invite-testimonial.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { shareReceipt } from "#server/contracts/share-receipt.ts";
import { recordOutage } from "#server/fleet/record-outage.ts";
import type { PermissionCheck } from "#server/identity/staff/require-permission.ts";
import { listSubmittedDocuments } from "#server/kyc/list-documents.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import { keepStatement } from "#server/payouts/keep-statement.ts";
import { askExport } from "#server/personal-data/ask-export.ts";
import { makeExport } from "#server/personal-data/make-export.ts";
import { enterCount } from "#server/reconciliation/enter-count.ts";
import { requestWithdrawal } from "#server/withdrawals/request-withdrawal.ts";
import { openTestWallet, seePayment, testAddress } from "#tests/factories/chain.ts";
import { aCount } from "#tests/factories/count.ts";
import { builtPages } from "../../scripts/built-pages.ts";
import { give, proposeGift } from "../factories/adjustment.ts";
import { createTestCustomer } from "../factories/customer.ts";
import { createTestDeposit, uniquePicture } from "../factories/deposit.ts";
import { createTestDelivery, createTestPlanVersion } from "../factories/fleet.ts";
import { createTestSubmission } from "../factories/kyc.ts";
import { createTestPrice } from "../factories/market.ts";
import { createTestThread, writeTestMessage } from "../factories/message.ts";
import {
  createTestContract,
  createTestFleet,
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  recordTestPayout,
} from "../factories/mining.ts";
import { createTestSubscriber } from "../factories/newsletter.ts";
import { changeTestOperator, createTestOperator } from "../factories/operator.ts";
import { createTestPool as addTestPool, createTestPayout } from "../factories/payout.ts";
import { createTestRehearsal } from "../factories/rehearsal.ts";
import { aRequest, createUnsentBatch, letWithdraw, someAddress } from "../factories/withdrawal.ts";
import { startHtmlChecker } from "../setup/html-checker.ts";
import { signInAs } from "../setup/sign-in-as.ts";
import { testApp } from "../setup/test-app.ts";
import { everybody, readers, senders, viewedPages, type Who } from "./who-may.ts";

const product = await testApp();
const html = await startHtmlChecker();
afterAll(() => html.stop());
const { app, db, owner } = product;
app.rehearsal = createTestRehearsal();
const now = app.now();
const ada = await createTestCustomer(db);
const bob = await createTestCustomer(db);
const olga = await createTestOperator(db);
const deposit = await createTestDeposit(app, { customerId: ada.id, approvedBy: olga });
const pending = await createTestDeposit(app, { customerId: ada.id });
const thread = await writeTestMessage(app, ada, {
  files: [{ name: "receipt.png", bytes: await uniquePicture() }],
});
await createTestSubscriber(db, { email: ada.email });
const cookies = new Map<Who, string>([
  ["customer", await signInAs(product, ada)],
  ["other customer", await signInAs(product, bob)],
  ["owner", await signInAs(product, olga)],
]);
for (const role of operatorRoles) {
  if (role === "owner") continue;
  cookies.set(role, await signInAs(product, await createTestOperator(db, { role })));
}
const invited = await createTestOperator(db, { role: "support" });
const asked = { customerId: ada.id, invitation: "", site: app.config };
const { testimonialId } = await inviteTestimonial(db, olga, asked, now);
await owner.query("update mails set state = 'failed', attempts = 25 where id = $1", [
  pending.mailId,
]);

// A contract of which one day is worked out, and a price that nobody has taken up.
await createTestFleet(db, { ghs: 100_000n, from: "2026-06-01" });
const boughtAt = new Date("2026-06-01T12:00:00Z");
const { versionId } = await createTestPlan(db, { now: boughtAt, termDays: 1000 });
const contract = await createTestContract(db, { customerId: ada.id, versionId, now: boughtAt });
const { contractId, startsOn } = contract;
const poolId = await createTestPool(db, { from: startsOn });
await recordTestPayout(db, { poolId, day: startsOn, units: 10_000n, deliveredGhs: 1_000n });
await createTestPriceOfDay(db, startsOn);
await postMiningDay(db, startsOn, new Date("2026-06-03T02:00:00Z"));
const { token } = await shareReceipt(db, { customerId: ada.id, contractId, day: startsOn }, now);
const statedResidence = {
  customerId: ada.id,
  country: "GB",
  ipAddress: "192.0.2.1",
  userAgent: null,
};
await stateResidence(db, statedResidence, now);
const book = { units: 1_000_000n, address: someAddress(), now };
const withdrawer = { id: ada.id, ...(await letWithdraw(db, ada.id, book)) };
const { batchId } = await createUnsentBatch(db, {
  customer: withdrawer,
  operator: olga,
});
await createTestPrice(db, {
  asset: "BTC",
  usdE8: 10n ** 13n,
  observedAt: new Date(now.getTime() - 1000),
});
const wish = { customerId: ada.id, planVersionId: versionId, quantity: 1, coin: "BTC" as const };
const { quoteId } = await quoteContract(db, wish, now);

const { withdrawalId } = await requestWithdrawal(db, aRequest(withdrawer), now);

const { submissionId } = await createTestSubmission(app, ada.id);
const browser = { ipAddress: "192.0.2.1", userAgent: null };
const { exportId } = await askExport(db, { customerId: ada.id, browser, now });
await makeExport(app, exportId, now);
const tessa = await createTestOperator(db, { role: "treasurer" });
const givenId = await give(app, { maker: tessa, checker: olga }, ada.id, { units: 5n });
const { siteId, deliveryId } = await createTestDelivery(db, olga);
const outageId = randomUUID();
const outage = { outageId, siteId, deliveryId, startedAt: now, lostGhs: 1n, reason: "A fuse" };
await recordOutage(db, olga, outage, now);
const drafted = await createTestPlanVersion(db, olga, { publish: false });
const ownPoolId = await addTestPool(db, olga, { countsFrom: "2026-11-01" });
const payoutId = await createTestPayout(db, olga, { poolId: ownPoolId, day: "2026-11-19" });
const content = Buffer.from("Date,Hashrate (TH/s),Amount\n2026-11-18,1,0.1\n");
const file = { poolId: ownPoolId, name: "pool.csv", content };
const { statementId } = await keepStatement(db, olga, file, now);
async function writeCount(): Promise<string> {
  const asOf = new Date(now.getTime() - 1000);
  const count = await aCount(app, tessa, { units: 1n, asOf });
  return (await enterCount(db, tessa, count, now)).countId;
}
const ids: Record<string, string> = {
  ":adjustmentId": await proposeGift(app, tessa, ada.id, { units: 1n }),
  ":countId": await writeCount(),
  ":batchId": batchId,
  ":deliveryId": deliveryId,
  ":outageId": outageId,
  ":withdrawalId": withdrawalId,
  ":chainPaymentId": await seePayment(
    db,
    await testAddress(db, await openTestWallet(db, olga), ada.id),
  ),

  ":unsignedFile": "1.psbt",
  ":number": "1",
  ":versionId": drafted.versionId,
  ":payoutId": payoutId,
  ":statementId": statementId,
  ":poolId": ownPoolId,
  ":testimonialId": testimonialId,
  ":contractId": contractId,
  ":quoteId": quoteId,
  ":token": token,
  ":day": startsOn,
  ":kind": "faq",
  ":slug": defaultFaq[0]?.slug ?? "",
  ":operatorId": invited.id,
  ":depositId": deposit.depositId,
  ":submissionId": submissionId,
  ":documentId": (await listSubmittedDocuments(db, submissionId))[0]?.id ?? "",
  ":exportId": exportId,
  ":transferId": deposit.transferId,
  ":customerId": ada.id,
  ":mailId": deposit.mailId,
  ":threadId": thread.threadId,
  ":fileId": thread.fileIds[0] ?? "",
  ":name": "ticker-tape",
  ":statementFile": "statement.csv",
  ":listFile": "deposits.csv",
  ":file": "terms-1.0.txt",
  "*": randomUUID(),
};
const fill = (pattern: string, own: Record<string, string> = {}) =>
  Object.entries({ ...ids, ...own }).reduce((text, [name, id]) => text.replace(name, id), pattern);

/** What a form must hold to be looked at, where an empty one is answered as if there was no such page. */
const fieldsOf: Record<string, Record<string, string>> = {
  "/account/verification": { step: "submit" },
  "/operator/jobs": { jobId: "1" },
  "/operator/mining/contracts": { customerId: ids[":customerId"] ?? "" },
  "/operator/content": { slug: ids[":slug"] ?? "", by: "down" },
};

/** What an act may do away with is there anew for everybody who tries. */
const madeAnew: Record<string, () => Promise<Record<string, string>>> = {
  "/operator/adjustments/:adjustmentId": async () => ({
    ":adjustmentId": await proposeGift(app, tessa, ada.id, { units: 1n }),
  }),
  "/operator/reconciliation/:countId": async () => ({ ":countId": await writeCount() }),
};

/** How staff guard their own sign-in: for each of them, whatever the role. */
const isOwnAccount = (path: string) => path.startsWith("/operator/security");

const isStaff = (who: Who): who is OperatorRole => operatorRoles.some((role) => role === who);

test("the table lists every route of the site, and every form", async () => {
  const routes = await allRoutes();
  expect([...routes.keys()].sort()).toEqual(Object.keys(readers).sort());
  const declared = [...routes].flatMap(([path, modules]) =>
    modules.some((module) => module.action) ? [path] : [],
  );
  expect(declared.sort()).toEqual(Object.keys(senders).sort());
});

test("every page of the console asks for a permission, and every form of it for its own", async () => {
  for (const [path, modules] of await allRoutes()) {
    if (!path.startsWith("/operator") || isOwnAccount(path)) continue;
    for (const module of modules) {
      const check = module.middleware?.find((each): each is PermissionCheck => "reads" in each);
      expect(check, `${path} asks for no permission`).toBeDefined();
      const { forms } = check ?? {};
      const intents = typeof forms === "string" ? ["form"] : Object.keys(forms ?? {});
      expect(intents.sort(), path).toEqual(Object.keys(senders[path] ?? {}).sort());
    }
  }
});

for (const [pattern, allowed] of Object.entries(readers)) {
  test(`${listed(allowed)} may read ${pattern}, as a page of the HTML standard and as data`, async () => {
    const path = fill(pattern);
    for (const who of everybody) {
      // What one of those who may read it gets as a page, the others get as well: it is drawn from the data.
      const isDrawn = !allowed.includes(who) || who === allowed[0];
      for (const target of isDrawn ? [path, dataPath(path)] : [dataPath(path)]) {
        const answer = await product.request(target, as(who));
        const body = await answer.text();
        const said = `${who} ${target}: ${answer.status}`;
        if (allowed.includes(who)) {
          expect([200, 202, 204, 302], said).toContain(answer.status);
          expect(signInWanted(answer, body), said).toBe(false);
          await expectSound(answer, body);
          continue;
        }
        expect(isRefused(who, path, answer, body), said).toBe(true);
        // Not one byte of what the page would have shown.
        expect(body).not.toContain(ada.email);
        expect(body).not.toContain(deposit.txid);
      }
    }
  });
}

async function expectSound(answer: Response, page: string): Promise<void> {
  if (!answer.headers.get("content-type")?.includes("text/html")) return;
  expect(await html.faultsOf(page)).toEqual([]);
  // A reader who hears a table is told which head a cell has.
  expect(page.match(/<th(?![^>]*\sscope=)[\s>][^>]*/)).toBeNull();
}

for (const [pattern, allowed] of Object.entries(readers)) {
  const refused = everybody.filter((who) => !allowed.includes(who));
  // Where there are forms, each of them is tried below.
  if (refused.length === 0 || senders[pattern]) continue;
  test(`no form of who may not read ${pattern} reaches it`, async () => {
    const path = fill(pattern);
    for (const who of refused) {
      for (const target of [path, dataPath(path)]) {
        const form = { intent: "approve", status: "approved", profit: "1000000" };
        const answer = await product.request(target, { ...as(who), form });
        const body = await answer.text();
        const isTurnedAway = isRefused(who, path, answer, body) || answer.status === 405;
        expect(isTurnedAway, `${who} ${target}: ${answer.status}`).toBe(true);
      }
    }
  });
}

for (const [pattern, forms] of Object.entries(senders)) {
  for (const [intent, allowed] of Object.entries(forms)) {
    test(`${listed(allowed)} may send ${intent} to ${pattern}, as a page and as data`, async () => {
      const form = { ...fieldsOf[pattern], ...(intent === "form" ? {} : { intent }) };
      const before = await countActs();
      for (const who of everybody.filter((each) => !allowed.includes(each))) {
        await expectRefused(who, pattern, form);
      }
      expect(await countActs(), "a refused form left an act").toBe(before);
      // A cookie that was signed out would tell nothing about the routes that follow.
      const senders = pattern === "/signout" ? (["stranger"] as const) : allowed;
      for (const who of senders) await expectSent(who, pattern, form);
    });
  }
}

async function expectRefused(who: Who, pattern: string, form: Record<string, string>) {
  const path = fill(pattern);
  for (const target of [path, dataPath(path)]) {
    const answer = await product.request(target, { ...as(who), form });
    const body = await answer.text();
    expect(isRefused(who, path, answer, body), `${who} ${target}: ${answer.status}`).toBe(true);
  }
}

/** What comes of it is for the pages' own tests: here it matters that it is looked at. */
async function expectSent(who: Who, pattern: string, form: Record<string, string>) {
  for (const targetOf of [(path: string) => path, dataPath]) {
    const target = targetOf(fill(pattern, await madeAnew[pattern]?.()));
    const answer = await product.request(target, { ...as(who), form, address: "198.51.100.7" });
    const said = `${who} ${target}: ${answer.status}`;
    expect([401, 403, 404, 405], said).not.toContain(answer.status);
    expect(answer.status, said).toBeLessThan(500);
    expect(signInWanted(answer, await answer.text()), said).toBe(false);
  }
}

test("any other method than GET, HEAD and POST is refused everywhere, before anybody is asked who sends it", async () => {
  const others = ["/livez", "/readyz", "/events/prices", "/market/candles/BTC.json", "/robots.txt"];
  const paths = Object.keys(readers).flatMap((pattern) => [fill(pattern), dataPath(fill(pattern))]);
  const asked = [vi.spyOn(app.db.$client, "query"), vi.spyOn(app.db.$client, "connect")];
  for (const path of [...paths, ...others, "/assets/entry.js", "/newsletter/unsubscribe"]) {
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      for (const who of ["stranger", "customer", "owner"] as const) {
        const answer = await product.request(path, { ...as(who), method, form: { intent: "x" } });
        expect(answer.status, `${method} ${path}`).toBe(405);
        expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
      }
    }
  }
  for (const spy of asked) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
});

test("a form that a page of the console does not have is refused", async () => {
  for (const [pattern, forms] of Object.entries(senders)) {
    if (!pattern.startsWith("/operator") || "form" in forms || isOwnAccount(pattern)) continue;
    for (const form of [{}, { intent: "constructor" }, { intent: "promote" }]) {
      const answer = await product.request(fill(pattern), { ...as("owner"), form });
      expect(answer.status, pattern).toBe(400);
    }
  }
  const answer = await product.request("/operator/markets", { ...as("owner"), form: {} });
  expect(answer.status).toBe(405);
});

test("a page that is closed to a role says so, and leads back into the console", async () => {
  const answer = await product.request("/operator/audit", as("support"));
  const body = await answer.text();
  expect(answer.status).toBe(403);
  expect(body).toContain("Not for your role");
  expect(body).toContain("To see the audit log takes another role than yours.");
  expect(body).toContain('href="/operator"');
});

test("the console opens on Today for every role, and shows a role only what it may read", async () => {
  const writers = await (await product.request("/operator", as("content"))).text();
  expect(writers).toContain("Today");
  for (const closed of ["to review", "Customers have", "Hashrate", "Payouts and batches"]) {
    expect(writers).not.toContain(closed);
  }
  const treasurers = await (await product.request("/operator", as("treasurer"))).text();
  expect(treasurers).toContain("Customers have");
});

test("the auditor reads every page of the console that shows something, and sends none of its forms", () => {
  const consoleOnly = Object.entries(readers).filter(([path]) => path.startsWith("/operator"));
  const closed = consoleOnly.filter(([, allowed]) => !allowed.includes("auditor"));
  // What others were asked to show to verifiers alone, and pages that exist for their forms alone.
  expect(closed.map(([path]) => path)).toEqual([
    "/operator/adjustments/new",
    "/operator/reconciliation/new",
    // What is to be signed, for who carries it to the signer and back.
    "/operator/withdrawals/batches/:batchId/sign/:number",
    "/operator/withdrawals/batches/:batchId/:unsignedFile",
    "/operator/verification/:submissionId/documents/:documentId",
    "/operator/content/invite/:customerId",
    "/operator/plans/new",
    "/operator/payouts/new",
  ]);
  for (const [path, forms] of Object.entries(senders)) {
    if (!path.startsWith("/operator") || isOwnAccount(path)) continue;
    for (const allowed of Object.values(forms)) expect(allowed, path).not.toContain("auditor");
  }
});

test.each(operatorRoles)("%s is offered no button that is not for him", async (role) => {
  const intents: string[] = [];
  for (const [page, html] of await readConsole(role)) {
    for (const { path, intent } of buttonsIn(html, page)) {
      const forms = senders[patternOf(path)];
      const allowed = forms?.[intent] ?? forms?.["form"];
      expect(allowed, `${intent} on ${page}, sent to ${path}`).toContain(role);
      if (path !== "/signout" && !isOwnAccount(path)) intents.push(intent);
    }
  }
  if (role === "auditor") expect(intents).toEqual([]);
  if (role === "owner")
    expect(intents).toEqual(
      expect.arrayContaining([
        ...["reject", "reply", "form", "publish", "withdraw", "unfreeze", "reinstate"],
        ...["open", "version", "retire", "reverse"],
      ]),
    );
});

test.each(operatorRoles)("%s is offered no link that leads nowhere for him", async (role) => {
  for (const [page, html] of await readConsole(role)) {
    for (const [, path = ""] of html.matchAll(/<a [^>]*href="(\/operator[^"#?]*)/g)) {
      // The way home leads everybody to what he may see.
      if (path === "/operator") continue;
      expect(readers[patternOf(path)], `${path}, a link on ${page}`).toContain(role);
    }
  }
});

describe("who looks at an account as its customer sees it", () => {
  /** A cookie of this role's own, with a view of Ada's account open. */
  async function viewer(role: "support" | "owner"): Promise<string> {
    const operator = await createTestOperator(db, { role });
    const cookie = await signInAs(product, operator);
    const form = { intent: "start", reason: "You asked why" };
    const path = `/operator/customers/${ada.id}/view`;
    expect((await product.request(path, { cookie, form })).status).toBe(302);
    return cookie;
  }

  const accountPages = Object.keys(readers).filter((path) => path.startsWith("/account"));

  test.each(["support", "owner"] as const)(
    "%s reads the pages listed, and no other",
    async (role) => {
      const cookie = await viewer(role);
      const before = await everythingKept();
      for (const pattern of accountPages) {
        const isOpen = viewedPages[pattern]?.includes(role) === true;
        await expectViewed(fill(pattern), { cookie, isOpen });
      }
      expect(await everythingKept(), "reading as a customer changed something").toEqual(before);
    },
  );

  async function expectViewed(
    path: string,
    { cookie, isOpen }: { cookie: string; isOpen: boolean },
  ) {
    const layoutAlone = `${dataPath(path)}?_routes=account%2Flayout`;
    for (const target of [path, dataPath(path), layoutAlone, `${path}?x=1`]) {
      const answer = await product.request(target, { cookie });
      const body = await answer.text();
      expect(answer.status, target).toBe(isOpen ? 200 : 403);
      const isPage = answer.headers.get("content-type")?.includes("text/html") === true;
      if (!isOpen) expect(body, target).not.toContain(ada.email);
      else if (isPage) expect(body, target).toContain("as its customer sees it");
    }
    // Another way to write the same address is not another way in.
    const other = await product.request(path.replace("/account", "/Account"), { cookie });
    expect(other.status, path).toBe(403);
  }

  test("sends none of an account's forms, as a page or as data, and changes nothing", async () => {
    const cookie = await viewer("owner");
    const before = await everythingKept();
    const sent = accountPages.flatMap((pattern) =>
      [...Object.keys(senders[pattern] ?? {}), "form", "approve"].map((intent) => ({
        path: fill(pattern),
        form: { ...fieldsOf[pattern], ...(intent === "form" ? {} : { intent }) },
      })),
    );
    for (const { path, form } of sent) {
      for (const target of [path, dataPath(path)]) {
        const answer = await product.request(target, { cookie, form });
        expect(answer.status, `${JSON.stringify(form)} to ${target}`).toBe(403);
      }
    }
    expect(await everythingKept()).toEqual(before);
  });

  test("has no session of the customer's, and none after the end, the sign-out or the role", async () => {
    const operator = await createTestOperator(db, { role: "support" });
    const cookie = await signInAs(product, operator);
    const path = `/operator/customers/${ada.id}/view`;
    const sessionsOfAda = async () => {
      const { rows } = await owner.query("select id from sessions where user_id = $1", [ada.id]);
      return rows;
    };
    const before = await sessionsOfAda();
    const start = { intent: "start", reason: "You asked why" };
    const started = await product.request(path, { cookie, form: start });
    expect(started.headers.getSetCookie().join()).not.toContain("session_token");
    expect(await sessionsOfAda()).toEqual(before);
    expect((await product.request("/account", { cookie })).status).toBe(200);
    // Not by another session of the same person.
    const second = await signInAs(product, operator);
    expect((await product.request("/account", { cookie: second })).headers.get("location")).toBe(
      "/operator",
    );
    // Not after a quarter of an hour.
    await owner.query("alter table customer_views disable trigger views_are_never_rewritten");
    await owner.query(
      "update customer_views set started_at = now() - interval '16 minutes', ends_at = now() - interval '1 minute' where operator_id = $1",
      [operator.id],
    );
    await owner.query("alter table customer_views enable always trigger views_are_never_rewritten");
    expect((await product.request("/account", { cookie })).headers.get("location")).toBe(
      "/operator",
    );
    // Not after the end.
    await product.request(path, { cookie, form: start });
    expect((await product.request("/account", { cookie })).status).toBe(200);
    await product.request(path, { cookie, form: { intent: "end" } });
    expect((await product.request("/account", { cookie })).headers.get("location")).toBe(
      "/operator",
    );
    // Not in another role.
    await product.request(path, { cookie, form: start });
    await owner.query("alter table operators disable trigger staff_are_changed_by_owners");
    await owner.query("update operators set role = 'content' where id = $1", [operator.id]);
    await owner.query("alter table operators enable always trigger staff_are_changed_by_owners");
    expect((await product.request("/account", { cookie })).headers.get("location")).toBe(
      "/operator",
    );
  });

  test("the customer is told at once: by mail, on the dashboard and in the history", async () => {
    const eve = await createTestCustomer(db);
    const cookie = await signInAs(product, eve);
    const form = { intent: "start", reason: "You asked why the balance is zero" };
    const path = `/operator/customers/${eve.id}/view`;
    await product.request(path, { ...as("support"), form });
    const { rows } = await owner.query(
      "select body_text from mails where user_id = $1 and template = 'account-viewed'",
      [eve.id],
    );
    expect(rows[0].body_text).toContain(form.reason);
    for (const page of ["/account/dashboard", "/account/security/history"]) {
      expect(await (await product.request(page, { cookie })).text()).toContain(form.reason);
    }
    await product.request(path, { ...as("support"), form: { intent: "end" } });
  });

  test("the application itself cannot open a view without an act and a session of staff", async () => {
    const insert = (act: string) =>
      db.$client.query(
        `insert into customer_views (id, operator_id, session_id, customer_id, reason, act_id, started_at, ends_at)
         select gen_random_uuid(), $1, s.id, $2, 'x', ${act}, now(), now() + interval '15 minutes'
           from sessions s where s.user_id = $1 limit 1`,
        [olga.id, bob.id],
      );
    const anyAct = "(select id from audit_log limit 1)";
    await expect(insert(anyAct)).rejects.toMatchObject({ constraint: "views_are_staff_acts" });
    const longer = db.$client.query("update customer_views set ends_at = now() + interval '1 day'");
    await expect(longer).rejects.toThrow("permission denied");
    const again = owner.query(
      "update customer_views set ended_at = null, ends_at = now() + interval '1 minute'",
    );
    await expect(again).rejects.toMatchObject({ constraint: "views_are_never_rewritten" });
  });
});

/** Every table but the worker's and what requests count, as one hash each: whether anything was written at all. */
async function everythingKept(): Promise<Record<string, string>> {
  const { rows } = await owner.query(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'attempts'",
  );
  const hashes: Record<string, string> = {};
  for (const { tablename } of rows) {
    const found = await owner.query(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from "${tablename}" t`,
    );
    hashes[tablename] = found.rows[0].hash;
  }
  return hashes;
}

test("a form of another site is refused, signed in or not", async () => {
  const form = { text: "notice: all is well" };
  for (const origin of ["https://evil.example", "null"]) {
    for (const path of [
      "/login",
      "/signout",
      "/account/deposit",
      `/operator/customers/${ada.id}`,
    ]) {
      const who = path.startsWith("/operator") ? "owner" : "customer";
      const answer = await product.request(path, { ...as(who), form, origin });
      expect(answer.status, `${origin} ${path}`).toBe(403);
    }
  }
});

test("a NUL character in an address or a form is the sender's fault, never ours", async () => {
  const answers = await Promise.all([
    product.request("/account/deposit?q=%00", as("customer")),
    product.request("/account/transactions?after=%00", as("customer")),
    product.request("/operator/customers?q=a%00b", as("owner")),
    product.request("/operator/audit?act=%00", as("owner")),
    product.request("/account/deposit/%00", as("customer")),
    product.request("/account/mining/%00", as("customer")),
    product.request("/account/mining/buy?plan=%00", as("customer")),
    product.request("/calculator?plan=%00&quantity=%00"),
    product.request("/receipt/%00"),
    product.request("/resetpassword?token=%00"),
    product.request("/login", { form: { email: "a\0b@example.com", password: "long enough" } }),
    product.request("/signup", {
      form: {
        firstName: "A\0da",
        lastName: "L",
        email: "nul@example.com",
        password: "long enough",
        confirmPassword: "long enough",
        acceptedTerms: "on",
      },
    }),
    product.request("/forgotpassword", { form: { email: "a\0b@example.com" } }),
  ]);
  for (const answer of answers) expect(answer.status, answer.url).toBeLessThan(500);
});

test("a cookie is worth nothing after its session was signed out", async () => {
  const cookie = await signInAs(product, bob);
  expect((await product.request("/account", { cookie })).status).toBe(200);
  await product.request("/signout", { cookie, form: {} });
  const answer = await product.request("/account", { cookie });
  expect(answer.headers.get("location")).toContain("/login?next=");
});

test("an operator suspended a moment ago is refused on the next request", async () => {
  const grace = await createTestOperator(db);
  const cookie = await signInAs(product, grace);
  expect((await product.request("/operator", { cookie })).status).toBe(200);
  await changeTestOperator(product.owner, grace.id, { state: "suspended" });
  expect((await product.request("/operator", { cookie })).status).toBe(404);
});

const consoles = new Map<OperatorRole, Promise<Map<string, string>>>();

/** More of what the console shows, by the owner's own forms: pages whose buttons depend on what was done before. */
async function doneBefore(): Promise<{ pattern: string; path: string }[]> {
  const eve = await createTestCustomer(db);
  const sam = await createTestOperator(db, { role: "support" });
  const { threadId } = await createTestThread(db, { email: eve.email });
  const [customer, staff] = ["/operator/customers/:customerId", "/operator/staff/:operatorId"];
  const acts = [
    { pattern: `${customer}/access`, id: eve.id, form: { intent: "freeze", reason: "Asked to" } },
    { pattern: staff, id: sam.id, form: { intent: "suspend", reason: "Left." } },
    { pattern: "/operator/messages/:threadId", id: threadId, form: { intent: "closed" } },
  ];
  const done = [];
  for (const { pattern, id, form } of acts) {
    const path = pattern.replace(/:\w+/, id);
    const answer = await product.request(path, { ...as("owner"), form });
    expect(answer.status, `${form.intent} on ${path}`).toBe(302);
    done.push({ pattern, path });
  }
  return done;
}
let done: ReturnType<typeof doneBefore> | undefined;

/** Every page of the console that a role may read, and what stands there: read once. */
function readConsole(role: OperatorRole): Promise<Map<string, string>> {
  const pages = consoles.get(role) ?? readAllOfConsole(role);
  consoles.set(role, pages);
  return pages;
}

async function readAllOfConsole(role: OperatorRole): Promise<Map<string, string>> {
  done ??= doneBefore();
  const states = [
    ...Object.keys(readers).map((pattern) => ({ pattern, path: fill(pattern) })),
    {
      pattern: "/operator/deposits/:depositId",
      path: `/operator/deposits/${pending.depositId}`,
    },
    { pattern: "/operator/mail/:mailId", path: `/operator/mail/${pending.mailId}` },
    { pattern: "/operator/plans/:versionId", path: `/operator/plans/${versionId}` },
    { pattern: "/operator/mining/:day", path: "/operator/mining/2026-06-02" },
    { pattern: "/operator/adjustments/:adjustmentId", path: `/operator/adjustments/${givenId}` },
    ...(await done),
  ];
  const pages = new Map<string, string>();
  for (const { pattern, path } of states) {
    if (!path.startsWith("/operator") || !readers[pattern]?.includes(role)) continue;
    const answer = await product.request(path, as(role));
    if (answer.headers.get("content-type")?.includes("text/html")) {
      pages.set(path, await answer.text());
    }
  }
  return pages;
}

/** The buttons of a page that send something: where to, and what they ask for. */
function buttonsIn(html: string, page: string): { path: string; intent: string }[] {
  const forms = html.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g);
  return [...forms].flatMap(([, head = "", inside = ""]) => {
    if (!head.includes('method="post"')) return [];
    const path = /action="([^"?]*)/.exec(head)?.[1] ?? page;
    const buttons = [...inside.matchAll(/<button [^>]*type="submit"[^>]*>/g)];
    return buttons.map(([button]) => ({ path, intent: intentOf(button) }));
  });
}

function intentOf(button: string): string {
  return (button.includes('name="intent"') && /value="([^"]*)"/.exec(button)?.[1]) || "form";
}

/** The route that an address belongs to; the one that says most of it. */
function patternOf(path: string): string {
  if (readers[path]) return path;
  const fits = Object.keys(readers).filter((pattern) => {
    const parts = pattern.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part));
    return new RegExp(`^${parts.join("/").replaceAll("*", "\\*")}$`).test(path);
  });
  return fits.sort((a, b) => a.split(":").length - b.split(":").length)[0] ?? path;
}

function as(who: Who): { cookie?: string } {
  const cookie = cookies.get(who);
  return cookie ? { cookie } : {};
}

function listed(allowed: readonly Who[]): string {
  if (allowed.length === everybody.length) return "everybody";
  return allowed.length === 0 ? "nobody" : allowed.join(", ");
}

async function countActs(): Promise<number> {
  const { rows } = await owner.query("select count(*)::int as acts from audit_log");
  return rows[0].acts;
}

function dataPath(path: string): string {
  return path === "/" ? "/_.data" : `${path}.data`;
}

/**
 * Refused as is due: a stranger is sent to sign in, staff at a customer's page to the console, a role at another role's
 * page is told so, and for customers the console does not exist.
 */
function isRefused(who: Who, path: string, answer: Response, body: string): boolean {
  const goesTo = (place: string) =>
    answer.headers.get("location")?.startsWith(place) ||
    (answer.status === 202 && body.includes(`"${place}`));
  if (answer.status === 404) return !(isStaff(who) && path.startsWith("/operator"));
  if (isStaff(who)) {
    if (path === "/operator") return goesTo("/operator/") || answer.status === 403;
    return path.startsWith("/operator") ? answer.status === 403 : goesTo("/operator") === true;
  }
  return who === "stranger" && signInWanted(answer, body);
}

function signInWanted(answer: Response, body: string): boolean {
  const location = answer.headers.get("location") ?? "";
  return (
    location.includes("/login?next=") || (answer.status === 202 && body.includes("/login?next="))
  );
}

interface RouteModule {
  action?: unknown;
  middleware?: object[];
}

/** Every address of the site, with the modules behind it. */
async function allRoutes(): Promise<Map<string, RouteModule[]>> {
  const { build } = await builtPages();
  if (typeof build === "function") throw new Error("the built pages are an object");
  const { routes } = build;
  const fullPath = (id: string): string => {
    const route = routes[id];
    const parent = route?.parentId ? fullPath(route.parentId) : "";
    return route?.path ? `${parent}/${route.path}` : parent;
  };
  const isParent = (id: string) => Object.values(routes).some((route) => route?.parentId === id);
  const found = new Map<string, RouteModule[]>();
  for (const route of Object.values(routes)) {
    if (!route || !(route.path || route.index)) continue;
    const path = fullPath(route.id) || "/";
    // A section's layout has its guard; what is below it has pages.
    const own = isParent(route.id) ? [] : [route.module as RouteModule];
    found.set(path, [...(found.get(path) ?? []), ...own]);
  }
  return found;
}
