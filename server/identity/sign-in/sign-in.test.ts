import { expect, test } from "vitest";
import { securityTerms } from "#core/people/security-terms.ts";
import { terms } from "#core/terms.ts";
import { eq } from "#server/platform/sql.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { atProductCost } from "#tests/setup/password-cost.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { TooManyAttempts } from "../../platform/rate-limit.ts";
import { holdMoney } from "../account/hold-money.ts";
import { hashPassword } from "../passwords/password.ts";
import { resetPassword } from "../passwords/reset-password.ts";
import { credentials } from "../schema.ts";
import { createAuth } from "../sessions/auth.ts";
import { findSignedInUser } from "../sessions/signed-in-user.ts";
import { sweepEnded } from "../sessions/sweep-ended.ts";
import { findKnownDevice } from "./known-device.ts";
import { limits } from "./limits.ts";
import { noteUse } from "./note-use.ts";
import { signIn } from "./sign-in.ts";
import { whySignedOut } from "./sign-in-first.ts";

const { db, owner } = await testDatabase();
const secret = "x".repeat(32);
const config = readConfig({ AUTH_SECRET: secret, APP_URL: testSite.appUrl });
const auth = createAuth(config);
const ipCountry = { find: (address: string | null) => (address === "2001:db8::7" ? "DE" : null) };
const hourMs = 3_600_000;

function attempt(email: string, over: Partial<Parameters<typeof signIn>[1]> = {}) {
  const by = { clientAddress: "192.0.2.1", userAgent: "test", cookieHeader: "", now: new Date() };
  return signIn(
    { db, auth, config, ipCountry },
    { email, password: testPassword, rememberMe: false, ...by, ...over },
  );
}

/**
 * The first tries with a wrong password, a few at once: for each is waited, so that its time tells little, and there is room
 * for no more of one account or network.
 */
async function guess(
  email: string,
  count: number,
  over: (n: number) => Parameters<typeof attempt>[1],
  atOnce = 4,
): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  while (outcomes.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - outcomes.length) }, (_, place) => {
      const from = over(outcomes.length + place);
      return attempt(email, { password: "wrong wrong", ...from }).catch((error: unknown) => error);
    });
    outcomes.push(...(await Promise.all(some)));
  }
  return outcomes;
}

function asRequest(cookies: string[], origin = testSite.appUrl) {
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  return new Request(`${origin}/account`, { headers: { cookie } });
}

async function hoursLeft(userId: string): Promise<number> {
  const { rows } = await owner.query("select expires_at from sessions where user_id = $1", [
    userId,
  ]);
  return Math.round((rows[0].expires_at.getTime() - Date.now()) / hourMs);
}

test("opens a session of 30 days when the customer wants to be remembered", async () => {
  const customer = await createTestCustomer(db);
  const { cookies, user } = await attempt(customer.email, { rememberMe: true });
  expect(user).toEqual({ id: customer.id, kind: "customer" });
  expect(await hoursLeft(customer.id)).toBe(terms.rememberedSessionDays * 24);
  const session = cookies.find((line) => line.startsWith("assay.session_token="));
  expect(session).toContain(`Max-Age=${terms.rememberedSessionDays * 86_400}`);
  expect(session).toMatch(/HttpOnly.*SameSite=Lax/);
});

test("otherwise opens one that ends with the browser and after 12 hours", async () => {
  const customer = await createTestCustomer(db);
  const { cookies } = await attempt(customer.email);
  expect(await hoursLeft(customer.id)).toBe(terms.forgottenSessionHours);
  const session = cookies.find((line) => line.startsWith("assay.session_token="));
  expect(session).not.toMatch(/Max-Age|Expires/i);
  const device = cookies.find((line) => line.startsWith("assay.known_device="));
  expect(device).toContain(`Max-Age=${securityTerms.knownBrowserDays * 86_400}`);
  expect(await findSignedInUser({ auth, db }, asRequest(cookies))).toMatchObject({
    id: customer.id,
  });
});

test("does not count a session that has ended, and sweeps it", async () => {
  const customer = await createTestCustomer(db);
  const { cookies } = await attempt(customer.email);
  await owner.query(
    "update sessions set expires_at = now() - interval '1 second' where user_id = $1",
    [customer.id],
  );
  expect(await findSignedInUser({ auth, db }, asRequest(cookies))).toBeNull();
  await sweepEnded(db, new Date());
  const { rowCount } = await owner.query("select from sessions where user_id = $1", [customer.id]);
  expect(rowCount).toBe(0);
});

test("keeps of a session what cannot be made into its cookie again", async () => {
  const customer = await createTestCustomer(db);
  await attempt(customer.email);
  const { rows } = await owner.query("select token_sha256 from sessions where user_id = $1", [
    customer.id,
  ]);
  for (const encoding of ["hex", "base64url"] as const) {
    const forged = asRequest([`assay.session_token=${rows[0].token_sha256.toString(encoding)}`]);
    expect(await findSignedInUser({ auth, db }, forged)).toBeNull();
  }
});

test("gives a session a token that nobody knew before, and ends the one that the request came with", async () => {
  const [customer, thief] = [await createTestCustomer(db), await createTestCustomer(db)];
  const planted = (await attempt(thief.email)).cookies[0]?.split(";")[0] ?? "";
  const { cookies } = await attempt(customer.email, { cookieHeader: planted });
  expect(cookies[0]).not.toContain(planted);
  expect(await findSignedInUser({ auth, db }, asRequest([planted]))).toBeNull();
  const made = "assay.session_token=made-up-by-somebody";
  expect((await attempt(customer.email, { cookieHeader: made })).cookies[0]).not.toContain(made);
  expect(await findSignedInUser({ auth, db }, asRequest([made]))).toBeNull();
});

test("marks cookies as secure on a site with TLS", async () => {
  const customer = await createTestCustomer(db);
  const appUrl = "https://assay.example";
  const secured = readConfig({ AUTH_SECRET: secret, APP_URL: appUrl });
  const { cookies } = await signIn(
    { db, auth: createAuth(secured), config: secured, ipCountry },
    {
      email: customer.email,
      password: testPassword,
      rememberMe: true,
      clientAddress: "192.0.2.1",
      userAgent: "",
      cookieHeader: "",
      now: new Date(),
    },
  );
  expect(cookies[0]).toMatch(/^__Host-assay\.session_token=.*Path=\/;.*Secure/);
});

test("notes the address that was vouched for, whatever case the e-mail is typed in", async () => {
  const customer = await createTestCustomer(db, { email: "Mixed.Case@Example.com" });
  await attempt("MIXED.case@example.COM", { clientAddress: "198.51.100.9" });
  const { rows } = await owner.query("select ip_address from sessions where user_id = $1", [
    customer.id,
  ]);
  expect(rows[0].ip_address).toBe("198.51.100.9");
});

test("tells of a browser that is new, with the country of its address where that is known", async () => {
  const { email, id } = await createTestCustomer(db);
  for (const clientAddress of ["192.0.2.1", "192.0.2.7", "2001:db8::7"]) {
    await attempt(email, { clientAddress });
  }
  const { rows } = await owner.query(
    "select body_text from mails where user_id = $1 and template = 'new-device' order by created_at",
    [id],
  );
  expect(rows.map(({ body_text }) => /Address: (.*)/.exec(body_text)?.[1])).toEqual([
    "192.0.2.7",
    "2001:db8::7, Germany",
  ]);
});

test("refuses a wrong password, an unknown address and a suspended operator in the same words and time", async () => {
  const customer = await createTestCustomer(db);
  const operator = await createTestOperator(db, { role: "support" });
  const token = new URL(operator.invitationUrl).searchParams.get("token") ?? "";
  await resetPassword(db, { token, password: testPassword, site: testSite, now: new Date() });
  expect((await attempt(operator.email)).user.kind).toBe("operator");
  await changeTestOperator(owner, operator.id, { state: "suspended" });
  const refusals = [];
  for (const [email, password] of [
    [customer.email, "not the password"],
    ["nobody@example.com", testPassword],
    [operator.email, testPassword],
  ] as const) {
    const started = performance.now();
    const refusal = await attempt(email, { password }).catch((error: unknown) => error);
    const tookMs = performance.now() - started;
    refusals.push(refusal);
    expect(tookMs).toBeGreaterThan(240);
    expect(refusal).toMatchObject({ code: "identity/sign-in-failed" });
  }
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
});

test("works as long on an unknown address as on a wrong password", () =>
  atProductCost(async () => {
    const customer = await createTestCustomer(db);
    const cpu = async (email: string) => {
      const before = process.cpuUsage();
      for (let n = 0; n < 3; n += 1) {
        const wrong = { password: "not the password", clientAddress: `203.0.113.${n}` };
        await attempt(email, wrong).catch(() => {});
      }
      return process.cpuUsage(before).user / 1000 / 3;
    };
    const [known, unknown] = [await cpu(customer.email), await cpu("nobody@example.com")];
    // One Argon2id hash takes 50 ms and more; without it an unknown address would take 1 ms.
    expect(unknown).toBeGreaterThan(known / 3);
  }));

test("counts tries on an account from one place, existing or not, and says when to come back", async () => {
  const customer = await createTestCustomer(db);
  const now = new Date("2026-03-01T12:00:00Z");
  const refusalsOf = async (email: string) => {
    const from = () => ({ now, clientAddress: "203.0.113.1" });
    const before = await guess(email, limits.signInByNetworkAndAccount.max, from);
    return [...before, ...(await guess(email, 1, from))];
  };
  const [known, unknown] = [
    await refusalsOf(customer.email),
    await refusalsOf("ghost@example.com"),
  ];
  const last = known.at(-1) as TooManyAttempts;
  expect(last).toBeInstanceOf(TooManyAttempts);
  expect(last.retryAt).toEqual(new Date("2026-03-01T12:15:00Z"));
  expect(JSON.stringify(unknown)).toBe(JSON.stringify(known));
  // The right password does not help from there now, but from their own network the customer gets in.
  await expect(attempt(customer.email, { now, clientAddress: "203.0.113.1" })).rejects.toThrow(
    TooManyAttempts,
  );
  await attempt(customer.email, { now, clientAddress: "203.0.113.2" });
});

test("counts tries on an account from many places", async () => {
  const customer = await createTestCustomer(db);
  const now = new Date("2026-03-02T12:00:00Z");
  const outcomes = await guess(customer.email, limits.signInByAccount.max + 5, (n) => ({
    now,
    clientAddress: `203.0.113.${n}`,
  }));
  expect(outcomes.filter((outcome) => outcome instanceof TooManyAttempts)).toHaveLength(5);
});

test("guessing from everywhere does not lock the owner out of a browser that they signed in with before", async () => {
  const [customer, other] = [await createTestCustomer(db), await createTestCustomer(db)];
  const now = new Date("2026-03-03T12:00:00Z");
  const headerOf = (cookies: string[]) => cookies.map((line) => line.split(";")[0]).join("; ");
  const cookieHeader = headerOf((await attempt(customer.email, { now })).cookies);
  const ofAnother = headerOf((await attempt(other.email, { now })).cookies);
  await guess(customer.email, limits.signInByAccount.max, (n) => ({
    now,
    clientAddress: `203.0.113.${n}`,
  }));
  const elsewhere = { now, clientAddress: "198.51.100.1" };
  const forged = cookieHeader.replace(/(known_device=)[^;]{4}/, "$1AAAA");
  for (const header of ["", ofAnother, forged]) {
    const stopped = attempt(customer.email, { ...elsewhere, cookieHeader: header });
    await expect(stopped).rejects.toThrow(TooManyAttempts);
  }
  const { user } = await attempt(customer.email, { ...elsewhere, cookieHeader });
  expect(user.id).toBe(customer.id);
});

test("a known browser may not guess without end either", async () => {
  const customer = await createTestCustomer(db);
  const now = new Date("2026-03-04T12:00:00Z");
  const { cookies } = await attempt(customer.email, { now });
  const cookieHeader = cookies.map((line) => line.split(";")[0]).join("; ");
  const from = (n: number) => ({ now, cookieHeader, clientAddress: `203.0.113.${n}` });
  const outcomes = await guess(customer.email, limits.signInByKnownDevice.max + 3, from, 2);
  const limited = outcomes.filter((outcome) => outcome instanceof TooManyAttempts);
  expect(limited).toHaveLength(3);
});

test.each([
  { who: "a customer", rememberMe: false, minutes: securityTerms.idleMinutes.customer },
  { who: "a remembered one", rememberMe: true, minutes: securityTerms.idleMinutes.remembered },
])(
  "a session of $who ends when nobody used it for $minutes minutes, and is swept a day later",
  async ({ rememberMe, minutes }) => {
    const customer = await createTestCustomer(db);
    const { cookies } = await attempt(customer.email, { rememberMe });
    const request = asRequest(cookies);
    const clock = (at: number) => ({ db, auth, now: () => new Date(at) });
    const idleFor = (time: string) =>
      owner.query(
        "update sessions set last_used_at = now() - $2::interval where user_id = $1 returning last_used_at",
        [customer.id, time],
      );
    await idleFor(`${minutes - 1} minutes`);
    const user = await findSignedInUser({ auth, db }, request);
    expect(user?.id).toBe(customer.id);
    if (!user) return;
    await noteUse(clock(Date.now()), request, user.session);
    const { rows } = await owner.query("select last_used_at from sessions where id = $1", [
      user.session.id,
    ]);
    expect(Date.now() - rows[0].last_used_at.getTime()).toBeLessThan(60_000);
    await idleFor(`${minutes} minutes 1 second`);
    expect(await findSignedInUser({ auth, db }, request)).toBeNull();
    expect(await whySignedOut(clock(Date.now()), request)).toBe("idle");
    await sweepEnded(db, new Date());
    expect(await whySignedOut(clock(Date.now()), request)).toBe("idle");
    await sweepEnded(db, new Date(Date.now() + 25 * hourMs));
    expect(await whySignedOut(clock(Date.now()), request)).toBe("ended");
  },
);

test("use is noted once a minute, and not for a page that reads itself again", async () => {
  const customer = await createTestCustomer(db);
  const { cookies } = await attempt(customer.email);
  const user = await findSignedInUser({ auth, db }, asRequest(cookies));
  if (!user) throw new Error("nobody is signed in");
  const seen = user.session.lastUsedAt.getTime();
  const noted = async (afterMs: number, path: string, from?: string, method = "GET") => {
    const at = { db, now: () => new Date(seen + afterMs) };
    const headers = from === undefined ? {} : { referer: testSite.appUrl + from };
    await noteUse(at, new Request(testSite.appUrl + path, { method, headers }), user.session);
    const { rows } = await owner.query("select last_used_at from sessions where id = $1", [
      user.session.id,
    ]);
    return rows[0].last_used_at.getTime() - seen;
  };
  expect(await noted(59_000, "/operator/customers")).toBe(0);
  for (const [path, from] of [
    ["/operator.data", "/operator"],
    ["/operator/_.data", "/operator/"],
    ["/operator/deposits.data?state=pending", "/operator/deposits?state=pending"],
    ["/operator/deposits.data?_routes=operator%2Fdeposits", "/operator/deposits"],
    ["/operator/reconciliation.data", "/operator/reconciliation"],
    ["/account/deposit/payments.data", "/account/deposit"],
    ["/operator/deposits.data", undefined],
  ] as const) {
    expect(await noted(61_000, path, from), path).toBe(0);
  }
  let last = 0;
  for (const [path, from, method] of [
    ["/operator/deposits.data", "/operator"],
    ["/operator/deposits.data?state=approved", "/operator/deposits?state=pending"],
    ["/operator/deposits", "/operator/deposits"],
    ["/operator/deposits.data", "/operator/deposits", "POST"],
  ] as const) {
    last += 61_000;
    expect(await noted(last, path, from, method), path).toBe(last);
  }
});

test("after AUTH_SECRET was exchanged a known browser is still known, while the secret before is given", async () => {
  const customer = await createTestCustomer(db);
  const { cookies } = await attempt(customer.email);
  const cookieHeader = cookies.map((line) => line.split(";")[0]).join("; ");
  const after = { ...auth, secret: "y".repeat(32), secretBefore: auth.secret };
  expect(findKnownDevice(after, customer.email, cookieHeader)).not.toBeNull();
  const forgotten = { ...after, secretBefore: null };
  expect(findKnownDevice(forgotten, customer.email, cookieHeader)).toBeNull();
});

test("a browser that signed in before the password was changed is told of as a new one, and then known again", async () => {
  const customer = await createTestCustomer(db);
  const first = await attempt(customer.email);
  const known = first.cookies.map((line) => line.split(";")[0]).join("; ");
  const told = async () => {
    const sql = "select from mails where user_id = $1 and template = 'new-device'";
    return (await owner.query(sql, [customer.id])).rowCount;
  };
  await attempt(customer.email, { cookieHeader: known });
  expect(await told()).toBe(0);
  const password = "another horse battery";
  const hash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await tx.update(credentials).set({ password: hash }).where(eq(credentials.userId, customer.id));
    await holdMoney(tx, customer.id, "password-changed", new Date());
  });
  const { cookies } = await attempt(customer.email, { cookieHeader: known, password });
  expect(await told()).toBe(1);
  const again = cookies.map((line) => line.split(";")[0]).join("; ");
  await attempt(customer.email, { cookieHeader: again, password });
  expect(await told()).toBe(1);
});
