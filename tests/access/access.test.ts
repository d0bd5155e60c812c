import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { defaultFaq } from "#server/content/default-faq.ts";
import { inviteTestimonial } from "#server/content/invite-testimonial.ts";
import { addSource } from "#server/news/change-sources.ts";
import { askExport } from "#server/personal-data/ask-export.ts";
import { makeExport } from "#server/personal-data/make-export.ts";
import { builtPages } from "../../scripts/built-pages.ts";
import { createTestCustomer } from "../factories/customer.ts";
import { createTestDeposit } from "../factories/deposit.ts";
import { createTestThread } from "../factories/message.ts";
import { createTestIssue, createTestSubscriber } from "../factories/newsletter.ts";
import { createTestOperator } from "../factories/operator.ts";
import { signInAs } from "../setup/sign-in-as.ts";
import { testApp } from "../setup/test-app.ts";

type Who = "stranger" | "customer" | "other customer" | "operator";
const everybody: Who[] = ["stranger", "customer", "other customer", "operator"];
const customers: Who[] = ["customer", "other customer"];
const owner: Who[] = ["customer"];
const staff: Who[] = ["operator"];

/** Who may read each route of the site. A route that is missing here fails the first test. */
const readers: Record<string, Who[]> = {
  "/": everybody,
  "/about": everybody,
  "/services": everybody,
  "/contact": everybody,
  "/contact/sent": everybody,
  "/contact/answer": everybody,
  "/contact/challenge": everybody,
  "/newsletter": everybody,
  "/newsletter/asked": everybody,
  "/newsletter/confirm": everybody,
  "/newsletter/confirmed": everybody,
  "/newsletter/unsubscribe": everybody,
  "/newsletter/unsubscribed": everybody,
  "/faq": everybody,
  "/news": everybody,
  "/news.atom": everybody,
  "/terms": everybody,
  "/terms/:file": everybody,
  "/prices": everybody,
  "/embeds": everybody,
  // Nobody's while the operator has switched no widget on: app/site/embed.test.ts holds when it is somebody's.
  "/embeds/:name": [],
  "/login": everybody,
  "/login/second-factor": everybody,
  "/login/set-up-second-factor": everybody,
  "/login/passkey": everybody,
  "/freeze": everybody,
  // Answers scripts that ask by form, and only with what they may ask.
  "/passkey/question": [],
  "/signup": everybody,
  "/forgotpassword": everybody,
  "/resetpassword": everybody,
  "/verify-email": everybody,
  "/change-email": everybody,
  "/keep-account": everybody,
  "/signout": everybody,
  "/account": customers,
  "/account/dashboard": customers,
  "/account/deposit": customers,
  "/account/deposit/draft": customers,
  "/account/deposit/:depositId": owner,
  "/account/deposit/:depositId/slip": owner,
  "/account/evidence/:transferId": owner,
  "/account/withdraw": customers,
  "/account/transactions": customers,
  "/account/profile": customers,
  "/account/profile/close": customers,
  "/account/profile/export/:exportId": owner,
  "/account/testimonial": customers,
  "/account/verification": customers,
  "/account/security": customers,
  "/account/security/authenticator": customers,
  "/account/security/passkey": customers,
  "/account/security/recovery-codes": customers,
  "/account/security/password": customers,
  "/account/security/history": customers,
  "/account/security/confirm": customers,
  "/operator": staff,
  "/operator/deposits/:depositId": staff,
  "/operator/deposits/:depositId/slip": staff,
  "/operator/customers": staff,
  "/operator/customers/:customerId": staff,
  "/operator/customers/:customerId/access": staff,
  "/operator/security": staff,
  "/operator/security/authenticator": staff,
  "/operator/security/passkey": staff,
  "/operator/security/recovery-codes": staff,
  "/operator/security/password": staff,
  "/operator/security/history": staff,
  "/operator/security/confirm": staff,
  "/operator/content": staff,
  "/operator/content/testimonials": staff,
  "/operator/content/testimonials/:testimonialId": staff,
  "/operator/content/invite/:customerId": staff,
  "/operator/content/:kind/:slug": staff,
  "/operator/news": staff,
  "/operator/news/:sourceId": staff,
  "/operator/messages": staff,
  "/operator/messages/:threadId": staff,
  "/operator/newsletter": staff,
  "/operator/newsletter.csv": staff,
  "/operator/newsletter/new": staff,
  "/operator/newsletter/subscribers": staff,
  "/operator/newsletter/:issueId": staff,
  "/operator/mail": staff,
  "/operator/mail/:mailId": staff,
  "/operator/markets": staff,
  "/operator/jobs": staff,
  "/operator/audit": staff,
  "/operator/audit.csv": staff,
  "/robots.txt": everybody,
  "/manifest.webmanifest": everybody,
  // A test network is in no list, and nobody has entered an address yet: app/site/seo.
  "/sitemap.xml": [],
  "/.well-known/security.txt": [],
  "/*": [],
};

const product = await testApp();
const { app, db } = product;
const ada = await createTestCustomer(db);
const bob = await createTestCustomer(db);
const olga = await createTestOperator(db);
const deposit = await createTestDeposit(app, { customerId: ada.id, approvedBy: olga });
const thread = await createTestThread(db, { email: ada.email });
await createTestSubscriber(db, { email: ada.email });
const cookies: Record<Who, string | undefined> = {
  stranger: undefined,
  customer: await signInAs(product, ada),
  "other customer": await signInAs(product, bob),
  operator: await signInAs(product, olga),
};
const now = app.now();
const asked = { customerId: ada.id, invitation: "", site: app.config };
const { testimonialId } = await inviteTestimonial(db, olga, asked, now);
const feed = { name: "News", url: "https://news.example.com/feed", enabled: true };
const { sourceId } = await addSource(db, olga, { ...feed, allowLoopback: false }, now);
const browser = { ipAddress: "192.0.2.1", userAgent: null };
const { exportId } = await askExport(db, { customerId: ada.id, browser, now });
await makeExport(app, exportId, now);
const ids: Record<string, string> = {
  ":testimonialId": testimonialId,
  ":sourceId": sourceId,
  ":kind": "faq",
  ":slug": defaultFaq[0]?.slug ?? "",
  ":depositId": deposit.depositId,
  ":exportId": exportId,
  ":transferId": deposit.transferId,
  ":customerId": ada.id,
  ":mailId": deposit.mailId,
  ":threadId": thread.threadId,
  ":issueId": await createTestIssue(db, olga, { body: `Written for ${ada.email}` }),
  ":name": "ticker-tape",
  ":file": "terms-1.0.txt",
  "*": randomUUID(),
};

test("lists every route of the site", async () => {
  expect(await allPaths()).toEqual(Object.keys(readers).sort());
});

for (const [pattern, allowed] of Object.entries(readers)) {
  for (const who of everybody) {
    const may = allowed.includes(who);
    test(`${who} ${may ? "reads" : "is refused"} ${pattern}, as a page and as data`, async () => {
      const path = Object.entries(ids).reduce(
        (text, [name, id]) => text.replace(name, id),
        pattern,
      );
      for (const target of [path, dataPath(path)]) {
        const answer = await product.request(target, withCookie(cookies[who]));
        const body = await answer.text();
        if (may) {
          expect([200, 202, 204, 302], `${target}: ${answer.status}`).toContain(answer.status);
          expect(signInWanted(answer, body), target).toBe(false);
        } else {
          expect(
            sentAway(answer, body) || answer.status === 404,
            `${target}: ${answer.status}`,
          ).toBe(true);
          // Not one byte of what the page would have shown.
          expect(body).not.toContain(ada.email);
          expect(body).not.toContain(deposit.txid);
        }
      }
    });
  }
}

for (const [pattern, allowed] of Object.entries(readers)) {
  const refused = everybody.filter((who) => !allowed.includes(who));
  if (refused.length === 0) continue;
  test(`${refused.join(", ")}: no form of theirs reaches ${pattern}`, async () => {
    const path = Object.entries(ids).reduce((text, [name, id]) => text.replace(name, id), pattern);
    for (const who of refused) {
      for (const target of [path, dataPath(path)]) {
        const form = { intent: "approve", status: "approved", profit: "1000000" };
        const answer = await product.request(target, { ...withCookie(cookies[who]), form });
        const body = await answer.text();
        const turnedAway = sentAway(answer, body) || [404, 405].includes(answer.status);
        expect(turnedAway, `${who} ${target}: ${answer.status}`).toBe(true);
      }
    }
  });
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
      const cookie = path.startsWith("/operator") ? cookies.operator : cookies.customer;
      const answer = await product.request(path, { ...withCookie(cookie), form, origin });
      expect(answer.status, `${origin} ${path}`).toBe(403);
    }
  }
});

test("a NUL character in an address or a form is the sender's fault, never ours", async () => {
  const answers = await Promise.all([
    product.request("/account/deposit?q=%00", withCookie(cookies.customer)),
    product.request("/account/transactions?after=%00", withCookie(cookies.customer)),
    product.request("/operator/customers?q=a%00b", withCookie(cookies.operator)),
    product.request("/operator/audit?act=%00", withCookie(cookies.operator)),
    product.request("/account/deposit/%00", withCookie(cookies.customer)),
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
  await product.owner.query(
    "update operators set state = 'suspended', changed_by_act = created_by_act where id = $1",
    [grace.id],
  );
  expect((await product.request("/operator", { cookie })).status).toBe(404);
});

function withCookie(cookie: string | undefined) {
  return cookie ? { cookie } : {};
}

function dataPath(path: string): string {
  return path === "/" ? "/_.data" : `${path}.data`;
}

/** Sent away: to sign in, or, as staff at a customer's page, to the console. */
function sentAway(answer: Response, body: string): boolean {
  const toConsole = answer.headers.get("location") === "/operator";
  const toConsoleAsData = answer.status === 202 && body.includes('"/operator"');
  return signInWanted(answer, body) || toConsole || toConsoleAsData;
}

function signInWanted(answer: Response, body: string): boolean {
  const location = answer.headers.get("location") ?? "";
  return (
    location.includes("/login?next=") || (answer.status === 202 && body.includes("/login?next="))
  );
}

async function allPaths(): Promise<string[]> {
  const { build } = await builtPages();
  if (typeof build === "function") throw new Error("the built pages are an object");
  const { routes } = build;
  const fullPath = (id: string): string => {
    const route = routes[id];
    const parent = route?.parentId ? fullPath(route.parentId) : "";
    return route?.path ? `${parent}/${route.path}` : parent;
  };
  const leaves = Object.values(routes).filter((route) => route?.path || route?.index);
  return [...new Set(leaves.map((route) => fullPath(route?.id ?? "") || "/"))].sort();
}
