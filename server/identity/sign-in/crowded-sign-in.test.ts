import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { atProductCost } from "#tests/setup/password-cost.ts";
import { within } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { Busy } from "../../platform/busy.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import {
  countAttempt,
  keysOf,
  type Limit,
  subnetOf,
  TooManyAttempts,
  wholeSite,
} from "../../platform/rate-limit.ts";
import { turnsAtATime, verifyInTurn } from "../passwords/password.ts";
import { requirePassword } from "../passwords/require-password.ts";
import { signUp } from "../registration/sign-up.ts";
import { createAuth } from "../sessions/auth.ts";
import { limits } from "./limits.ts";
import { signIn } from "./sign-in.ts";

const { db, owner } = await testDatabase();
const config = readConfig({ AUTH_SECRET: "x".repeat(32), APP_URL: testSite.appUrl });
const auth = createAuth(config);
const ipCountry = { find: () => null };

function attempt(email: string, over: Partial<Parameters<typeof signIn>[1]> = {}) {
  const by = { clientAddress: "192.0.2.1", userAgent: "test", cookieHeader: "", now: new Date() };
  return signIn(
    { db, auth, config, ipCountry },
    { email, password: testPassword, rememberMe: false, ...by, ...over },
  );
}

const headerOf = (cookies: string[]) => cookies.map((line) => line.split(";")[0]).join("; ");

/** Each from a network of its own, at an account of its own. */
function guesses(count: number, over: Partial<Parameters<typeof signIn>[1]> = {}) {
  const from = Array.from({ length: count }, (_, n) => ({
    email: `stuffed-${n}@example.com`,
    clientAddress: `10.${n >> 8}.${n & 255}.7`,
  }));
  return from.map(({ email, clientAddress }) =>
    attempt(email, { password: "P4ssword of a leak", clientAddress, ...over }),
  );
}

/** Where hashing takes as long as in the product, others wait for it. */
const testAtCost = (name: string, work: () => Promise<void>) =>
  test(name, () => atProductCost(work));

/** Starts counting anew, as after the windows. */
const forget = () => owner.query("delete from attempts");

async function countedUpTo(limit: Limit, who: string, now: Date): Promise<void> {
  for (let n = 0; n < limit.max; n += 1) await countAttempt(db, limit, who, now);
}

testAtCost(
  "a customer's own browser is let in within 3 s while 100 networks guess at once",
  async () => {
    await forget();
    const customer = await createTestCustomer(db);
    const { cookies } = await attempt(customer.email);
    const storm = guesses(100).map((guess) => guess.catch((error: unknown) => error));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    const { user } = await attempt(customer.email, { cookieHeader: headerOf(cookies) });
    expect(performance.now() - started).toBeLessThan(within(3_000));
    expect(user.id).toBe(customer.id);
    await Promise.all(storm);
  },
);

testAtCost(
  "one account's known browser, or one network, leaves room for everybody else's",
  async () => {
    await forget();
    const mal = await createTestCustomer(db);
    const customer = await createTestCustomer(db);
    const [hers, theirs] = [await attempt(customer.email), await attempt(mal.email)];
    const flood = (from: (n: number) => Partial<Parameters<typeof signIn>[1]>) =>
      Array.from({ length: 80 * availableParallelism() }, (_, n) =>
        attempt(mal.email, { password: "a wrong password", ...from(n) }).catch((error) => error),
      );
    const cookieHeader = headerOf(theirs.cookies);
    const byBrowser = flood((n) => ({ clientAddress: `10.1.${n % 250}.9`, cookieHeader }));
    const byNetwork = flood((n) => ({
      clientAddress: `10.2.1.${n % 250}`,
      email: `n-${n}@x.example`,
    }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [known, fresh] = await Promise.all([
      attempt(customer.email, { cookieHeader: headerOf(hers.cookies) }),
      attempt(customer.email, { clientAddress: "10.3.1.1", effort: "work" }),
    ]);
    expect([known.user.id, fresh.user.id]).toEqual([customer.id, customer.id]);
    const busy = (await Promise.all(byBrowser)).filter((outcome) => outcome instanceof Busy);
    expect(busy.length).toBeGreaterThan(70 * availableParallelism());
    await Promise.all(byNetwork);
  },
);

test("what finds no room counts against nobody: registering, and a password asked again", async () => {
  await forget();
  const now = new Date();
  const countsOf = async (...counted: [Limit, string][]) =>
    (await owner.query("select from attempts where key = any($1)", [keysOf(counted)])).rowCount;
  const person = { firstName: "Ada", lastName: "Lovelace", email: "newcomer@example.com" };
  const visitor = {
    clientAddress: "198.51.100.77",
    userAgent: "test",
    password: testPassword,
    now,
  };
  const register = () => signUp({ db, auth, config, ipCountry }, { ...person, ...visitor });
  const { promise: end, resolve: letGo } = Promise.withResolvers<null>();
  const turn = { queues: ["known" as const], shares: [] };
  const running = Array.from({ length: turnsAtATime }, () =>
    verifyInTurn(turn, { password: "any", lookUp: () => end }),
  );
  const refusals = await Promise.all(
    Array.from({ length: 6 }, () => register().catch((error: unknown) => error)),
  );
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(Busy);
  expect(
    await countsOf(
      [limits.signUpByNetwork, "198.51.100.77"],
      [limits.signUpByAccount, person.email],
    ),
  ).toBe(0);
  letGo(null);
  await Promise.all(running);
  expect((await register()).cookies.join()).toContain("session_token=");
  const { id: userId } = await createTestCustomer(db);
  const asked = Array.from({ length: 12 + turnsAtATime }, () =>
    requirePassword(db, { userId, password: testPassword, now }).catch((error: unknown) => error),
  );
  const outcomes = await Promise.all(asked);
  expect(outcomes.filter((outcome) => outcome instanceof Busy).length).toBeGreaterThan(4);
  expect(outcomes.filter((outcome) => outcome instanceof TooManyAttempts)).toEqual([]);
  expect(await countsOf([limits.passwordAgainByAccount, userId])).toBe(0);
});

testAtCost(
  "guesses that find no room are refused as busy at once, whether or not the account exists",
  async () => {
    await forget();
    const customer = await createTestCustomer(db);
    const room = 17 * availableParallelism();
    const storm = guesses(room + 30).map((guess) => guess.catch((error: unknown) => error));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const answerOf = async (email: string) => {
      const started = performance.now();
      const refusal = await attempt(email, { clientAddress: "198.51.100.3" }).catch((e) => e);
      return { refusal, tookMs: performance.now() - started };
    };
    const [known, unknown] = await Promise.all([
      answerOf(customer.email),
      answerOf("ghost@example.com"),
    ]);
    for (const { refusal, tookMs } of [known, unknown]) {
      expect(refusal).toBeInstanceOf(Busy);
      expect(tookMs).toBeGreaterThan(240);
      expect(tookMs).toBeLessThan(within(2_500));
    }
    const outcomes = await Promise.all(storm);
    expect(outcomes.filter((outcome) => outcome instanceof Busy).length).toBeGreaterThanOrEqual(29);
  },
);

test("beyond a rate of the whole site a new browser works or waits first; a known one does neither", async () => {
  await forget();
  const customer = await createTestCustomer(db);
  const now = new Date();
  const { cookies } = await attempt(customer.email, { now });
  await forget();
  await countedUpTo(limits.signInByNothing, wholeSite, now);
  const from = (n: number) => ({ now, clientAddress: `203.0.113.${n}` });
  await expect(attempt(customer.email, from(1))).rejects.toBeInstanceOf(Busy);
  await expect(attempt("ghost@example.com", from(2))).rejects.toBeInstanceOf(Busy);
  await attempt(customer.email, { ...from(3), effort: "work" });
  await attempt(customer.email, { ...from(4), effort: "patience" });
  await attempt(customer.email, { ...from(5), cookieHeader: headerOf(cookies) });
});

test("who waits in place of a task may do so a few times from one place", async () => {
  await forget();
  const now = new Date();
  const outcomes: unknown[] = [];
  for (let n = 0; n <= limits.signInByPatienceNetwork.max; n += 1) {
    const from = { now, clientAddress: "203.0.113.77", effort: "patience" } as const;
    outcomes.push(await attempt(`patient-${n}@example.com`, from).catch((error) => error));
  }
  expect(outcomes.filter((outcome) => outcome instanceof TooManyAttempts)).toHaveLength(1);
});

test("counts a network of many places together", async () => {
  await forget();
  const now = new Date();
  await countedUpTo(limits.signInBySubnet, subnetOf("2001:db8:77:1::1"), now);
  const again = attempt("two@example.com", { now, clientAddress: "2001:db8:77:2::1" });
  await expect(again).rejects.toBeInstanceOf(TooManyAttempts);
});
