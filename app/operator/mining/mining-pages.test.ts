import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import { confirmPayout } from "#server/payouts/confirm-payout.ts";
import { createTestDelivery, createTestPlanVersion } from "#tests/factories/fleet.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const grace = await createTestOperator(db, {
  role: "treasurer",
  firstName: "Grace",
  lastName: "Hopper",
});
const alan = await createTestOperator(db, {
  role: "approver",
  firstName: "Alan",
  lastName: "Turing",
});
const olga = await createTestOperator(db);
const cookies = {
  grace: await signInAs(product, grace),
  alan: await signInAs(product, alan),
};
type Who = keyof typeof cookies;

const ago = (days: number) =>
  new Date(app.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

async function read(path: string, who: Who = "grace") {
  const answer = await product.request(path, { cookie: cookies[who] });
  return { status: answer.status, html: plain(await answer.text()), headers: answer.headers };
}

async function send(path: string, form: Record<string, string> | FormData, who: Who = "grace") {
  const answer = await product.request(path, { cookie: cookies[who], form });
  const location = answer.headers.get("location") ?? "";
  return { status: answer.status, location, html: plain(await answer.text()) };
}

/** A page as it is read: without what React and the data behind it add. */
function plain(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

const typedState = {
  effectiveFrom: ago(1),
  machines: "100",
  measured: "200",
  watts: "3500",
  evidence: "Meter",
};

test("a site and its machines are entered, and make the capacity of each day", async () => {
  const site = await send("/operator/fleet/sites", {
    intent: "site",
    name: "North",
    place: "Boden, Sweden",
  });
  expect(site).toMatchObject({ status: 302, location: "/operator/fleet/sites" });
  const { rows } = await owner.query("select id from sites where name = 'North'");
  const seenIn = (html: string) => /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const other = {
    intent: "rename",
    form: `rename-${rows[0].id}`,
    siteId: rows[0].id,
    seen: seenIn((await read("/operator/fleet/sites")).html),
  };
  const unnamed = await send("/operator/fleet/sites", { ...other, name: "", place: "Boden" });
  expect(unnamed.html).toContain("Write a name");
  const named = { ...other, name: "North hall", place: "Boden, Sweden" };
  expect((await send("/operator/fleet/sites", named)).status).toBe(302);
  const old = await send("/operator/fleet/sites", { ...named, place: "Luleå" });
  expect(old.status).toBe(409);
  expect(old.html).toContain("This site was changed while you looked at it");
  expect(old.html).toContain("Boden, Sweden");
  expect(old.html).toContain('value="Luleå"');
  expect((await read("/operator/fleet/sites")).html).toContain("North hall");
  const delivery = {
    intent: "delivery",
    deliveryId: randomUUID(),
    siteId: rows[0].id,
    model: "S21",
    nameplate: "200",
  };
  const wrong = await send("/operator/fleet", { ...delivery, ...typedState, machines: "many" });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain('value="many"');
  expect(wrong.html).toContain("A whole number");
  expect((await send("/operator/fleet", { ...delivery, ...typedState })).status).toBe(302);
  const { html } = await read("/operator/fleet");
  expect(html).toContain("20 PH/s");
  expect(html).toContain("<svg");
  const page = `/operator/fleet/deliveries/${delivery.deliveryId}`;
  const { html: machines } = await read(page);
  expect(machines).toContain("Meter");
  const word = { intent: "state", ...typedState, seen: seenIn(machines) };
  expect((await send(page, { ...word, machines: "99" })).status).toBe(302);
  const late = await send(page, { ...word, machines: "98" });
  expect(late.status).toBe(409);
  expect(late.html).toContain('value="98"');
  const energy = {
    intent: "energy",
    siteId: rows[0].id,
    effectiveFrom: ago(5),
    price: "0.052",
    evidence: "Bill",
  };
  expect((await send("/operator/fleet/sites", energy)).status).toBe(302);
  expect((await read("/operator/fleet/sites")).html).toContain("$0.052");
});

test("an outage is noted with its reason and ended on the same page", async () => {
  const { siteId } = await createTestDelivery(db, olga);
  const outage = {
    intent: "outage",
    outageId: randomUUID(),
    what: siteId,
    at: `${ago(2)}T03:00`,
    lost: "500",
  };
  const bare = await send("/operator/fleet/outages", outage);
  expect(bare.html).toContain("Write the reason, as customers read it");
  expect(
    (await send("/operator/fleet/outages", { ...outage, reason: "A burnt fuse" })).status,
  ).toBe(302);
  expect((await read("/operator/fleet/outages")).html).toContain("Goes on");
  const end = {
    intent: "end",
    form: `end-${outage.outageId}`,
    outageId: outage.outageId,
    until: `${ago(2)}T02:00`,
  };
  expect((await send("/operator/fleet/outages", end)).html).toContain("This is before it began");
  expect((await send("/operator/fleet/outages", { ...end, until: `${ago(2)}T05:00` })).status).toBe(
    302,
  );
  expect((await read("/operator/fleet/outages")).html).not.toContain("Goes on");
  const otherEnd = await send("/operator/fleet/outages", { ...end, until: `${ago(2)}T07:00` });
  expect(otherEnd.status).toBe(409);
  expect(otherEnd.html).toContain("This outage was corrected, ended or cancelled");
  const page = `/operator/fleet/outages/${outage.outageId}`;
  expect((await read("/operator/fleet/outages")).html).toContain(page);
  const correction = {
    ...outage,
    intent: "correct",
    correctionId: randomUUID(),
    until: `${ago(2)}T06:00`,
    reason: "A burnt transformer",
  };
  expect((await send(page, correction)).html).toContain("Write why, as customers read it");
  const explained = { ...correction, why: "Read wrongly" };
  expect((await send(page, explained, "alan")).status).toBe(403);
  // A form from before its end, which left that open: the end is in it now, beside what was typed.
  const old = await send(page, { ...explained, until: "" });
  expect(old.status).toBe(409);
  expect(old.html).toContain("This outage was corrected, ended or cancelled");
  expect(old.html).toContain(`value="${ago(2)}T05:00"`);
  expect(old.html).toContain("A burnt transformer");
  const mark = /name="seen" value="([^"]+)"/.exec(old.html)?.[1] ?? "";
  const corrected = await send(page, { ...explained, seen: mark });
  expect(corrected.location).toBe(`/operator/fleet/outages/${correction.correctionId}`);
  const { html } = await read(page);
  expect(html).toContain("A burnt fuse");
  expect(html).toContain("Corrected: Read wrongly");
  const late = { intent: "withdraw", outageId: outage.outageId, why: "Another site" };
  expect((await send(page, late)).status).toBe(409);
  expect((await send(page, { ...late, outageId: correction.correctionId })).status).toBe(302);
  expect((await read(page)).html).toContain("Taken back: Another site");
  expect((await read("/operator/fleet/outages")).html).toContain("Taken back");
});

const typedPlan = {
  name: "Start 360",
  unit: "1",
  termDays: "360",
  mostUnits: "1000",
  offered: "",
  machines: "13.50",
  setup: "1.50",
  margin: "3.00",
  energy: "0.041",
  operation: "0.006",
  maintenanceMargin: "0.005",
  termination: "refund-unserved",
};

test("a plan is drafted by one, seen as customers see it, and published by another exactly as seen", async () => {
  const drafted = await send("/operator/plans/new", {
    intent: "draft",
    planId: randomUUID(),
    ...typedPlan,
  });
  expect(drafted.status).toBe(302);
  const page = drafted.location;
  const first = await read(page);
  expect(first.html).toContain("$18.00");
  expect(first.html).toContain("$0.052");
  expect(first.html).toContain("Waits for an approver");
  const seen = /name="seen" value="([^"]+)"/.exec(first.html)?.[1] ?? "";
  const dearer = { intent: "save", form: "save", seen, ...typedPlan, margin: "4.00" };
  expect((await send(page, dearer)).status).toBe(302);
  const late = await send(page, { intent: "publish", form: "publish", seen }, "alan");
  expect(late.status).toBe(409);
  expect(late.html).toContain("This draft was changed while you looked at it");
  const now = /name="seen" value="([^"]+)"/.exec((await read(page, "alan")).html)?.[1] ?? "";
  expect((await send(page, { intent: "publish", seen: now }, "alan")).status).toBe(302);
  const { html } = await read("/operator/plans");
  expect(html).toContain("$19.00");
  expect(html).toContain("Published");
  const next = await send(page, { intent: "version" });
  expect(next.location).not.toBe(page);
  expect((await read(next.location)).html).toContain("Version 2 of start-360");
});

test("a changed maintenance fee says whom it tells, and is refused at short notice", async () => {
  const { versionId } = await createTestPlanVersion(db, olga);
  const page = `/operator/plans/${versionId}`;
  expect((await read(page, "alan")).html).toContain("No contract runs under this version");
  const change = {
    intent: "announce",
    changeId: randomUUID(),
    fee: "0.06",
    reason: "Dearer energy",
  };
  const soon = await send(page, { ...change, effectiveFrom: ago(-3) }, "alan");
  expect(soon.html).toContain("At least 7 days ahead");
  expect((await send(page, { ...change, effectiveFrom: ago(-9) }, "alan")).status).toBe(302);
  expect((await read(page)).html).toContain("$0.06");
  const back = { intent: "withdraw", changeId: change.changeId };
  expect((await send(page, back, "alan")).status).toBe(302);
  expect((await read(page)).html).toContain("cancelled");
});

async function bring(poolId: string, bytes: Uint8Array, name = "revenue.csv") {
  const form = new FormData();
  form.set("poolId", poolId);
  form.set("file", new File([bytes as BlobPart], name));
  return send("/operator/payouts/import", form);
}

test("a pool's file is shown line by line, recorded once, and taken away as it came", async () => {
  const poolId = await createTestPool(db, olga, { format: "luxor", countsFrom: "2026-11-01" });
  const content = readFileSync("tests/fixtures/pools/luxor.csv");
  const nonsense = await bring(poolId, Buffer.from("Hello"));
  expect(nonsense.status).toBe(400);
  expect(nonsense.html).toContain("No table with a day, an amount and a hashrate was found");
  const { location: page } = await bring(poolId, content);
  const review = await read(page);
  expect(review.html).toContain("To record");
  expect(review.html).toContain("There is no day in this line");
  expect((await send(page, { intent: "import" }, "alan")).status).toBe(403);
  const days = review.html.match(/To record/g)?.length ?? 0;
  expect((await send(page, { intent: "import" })).status).toBe(302);
  expect((await send(page, { intent: "import" })).status).toBe(302);
  expect((await read(page)).html).toContain("Nothing is left to record");
  expect((await bring(poolId, content)).location).toBe(page);
  const { rows } = await owner.query("select count(*)::int from pool_payouts where pool_id = $1", [
    poolId,
  ]);
  expect(rows[0].count).toBe(days);
  const file = await product.request(`${page}/file`, { cookie: cookies.grace });
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  expect(file.headers.get("content-disposition")).toContain("revenue.csv");
});

test("what keeps a file from being recorded is said where one records it", async () => {
  const txid = "1f".repeat(32);
  const other = await createTestPool(db, olga, { countsFrom: "2026-11-01" });
  await createTestPayout(db, olga, { poolId: other, day: ago(3), txid });
  const poolId = await createTestPool(db, olga, { countsFrom: "2026-11-01" });
  const content = `Date,Hashrate,Amount,TXID\n${ago(3)},1 PH/s,0.001,${txid}\n`;
  const { location: page } = await bring(poolId, Buffer.from(content));
  const refused = await send(page, { intent: "import" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("This transaction is another pool's payout");
});

test("a payout above the limit waits, shows to whom it is left, and is confirmed by another", async () => {
  const poolId = await createTestPool(db, olga, { countsFrom: "2026-11-01" });
  const payoutId = randomUUID();
  const typed = {
    intent: "enter",
    payoutId,
    poolId,
    day: ago(1),
    amount: "1.5",
    delivered: "20,000",
  };
  const wrong = await send("/operator/payouts/new", { ...typed, txid: "f00" });
  expect(wrong.html).toContain("64 hexadecimal digits");
  expect(wrong.html).toContain('value="1.5"');
  const { location: page } = await send("/operator/payouts/new", {
    ...typed,
    txid: "ab".repeat(32),
  });
  expect(page).toBe(`/operator/payouts/${payoutId}`);
  expect((await read(page)).html).toContain("You proposed this, so a colleague decides");
  expect((await read("/operator/payouts", "alan")).html).toContain("Waiting for a person");
  expect((await send(page, { intent: "confirm" }, "alan")).status).toBe(302);
  expect((await read(page)).html).toContain("Recorded");
  const late = await send(page, { intent: "refuse", reason: "No" }, "alan");
  expect(late.status).toBe(409);
  const correction = {
    intent: "correct",
    payoutId: randomUUID(),
    amount: "1.4",
    delivered: "20000",
    txid: "",
  };
  const bare = await send(page, { ...correction, reason: "Rejected shares" });
  expect(bare.html).toContain("Name the transaction");
  const proposed = await send(page, {
    ...correction,
    txid: "ab".repeat(32),
    reason: "Rejected shares",
  });
  expect((await send(proposed.location, { intent: "confirm" }, "alan")).status).toBe(302);
  expect((await read(page)).html).toContain("Corrected");
});

test("a form that was sent before is refused with other figures, and can be sent as another payout", async () => {
  const poolId = await createTestPool(db, olga, { countsFrom: "2026-11-01" });
  const typed = {
    intent: "enter",
    payoutId: randomUUID(),
    poolId,
    day: ago(2),
    amount: "0.001",
    delivered: "2000",
    txid: "cb".repeat(32),
  };
  // As the page's script sends it, which keeps the form that it has.
  const sendByScript = async (form: Record<string, string>) => {
    const path = "/operator/payouts/new.data";
    const answer = await product.request(path, { cookie: cookies.grace, form });
    const text = await answer.text();
    return { status: answer.status, text, key: /"payoutId","([0-9a-f-]{36})"/.exec(text)?.[1] };
  };
  expect((await sendByScript(typed)).status).toBe(202);
  const other = { ...typed, day: ago(1), txid: "bc".repeat(32) };
  const refused = await sendByScript(other);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("If this is another payout, send it again");
  const { location } = await send("/operator/payouts/new", {
    ...other,
    payoutId: refused.key ?? typed.payoutId,
  });
  expect(location).toBe(`/operator/payouts/${refused.key}`);
  // What was entered first stands as it was.
  expect((await read(`/operator/payouts/${typed.payoutId}`)).html).toContain(ago(2));
});

test("a day is tried, says what is missing, and is credited in order and once", async () => {
  await owner.query("alter table pools disable trigger user");
  await owner.query("update pools set counts_from = '2100-01-01'");
  await owner.query("alter table pools enable trigger user");
  const poolId = await createTestPool(db, olga, { name: "Own pool", countsFrom: ago(2) });
  const day = `/operator/mining/${ago(2)}`;
  expect((await read(day)).html).toContain("No recorded payout of Own pool.");
  // Nobody asked the network on this day, so a second person looks at the hashrate.
  const payoutId = await createTestPayout(db, await createTestOperator(db), {
    poolId,
    day: ago(2),
    units: 700_000n,
    deliveredGhs: 20_000_000n,
  });
  expect((await read(`/operator/payouts/${payoutId}`)).html).toContain(
    "A second person is needed because",
  );
  await confirmPayout(db, olga, payoutId, new Date());
  expect((await read(day)).html).toContain("No price of BTC is known for the day.");
  const blind = { intent: "post", seen: "0 for 0" };
  expect((await send(day, blind)).html).toContain("No price of BTC is known");
  for (const days of [2, 1]) {
    const observedAt = new Date(`${ago(days)}T23:58:00Z`);
    await createTestPrice(db, { asset: "BTC", usdE8: 9_000_000_000_000n, observedAt });
  }
  const ready = await read(day);
  expect(ready.html).toContain("Dry run");
  expect(ready.html).toContain(`Credit ${ago(2)}`);
  expect((await read(day, "alan")).html).not.toContain(`Credit ${ago(2)}`);
  expect((await send(day, blind)).html).toContain("has changed since you looked at it");
  const [, seen = ""] = /name="seen" value="([^"]+)"/.exec(ready.html) ?? [];
  expect((await send(day, { intent: "post", seen })).status).toBe(302);
  expect((await send(day, { intent: "post", seen })).status).toBe(302);
  expect((await read(day)).html).toContain("Being credited");
  await postMiningDay(db, ago(2), new Date());
  expect((await read(day)).html).toContain("Credited");
  const acts = await owner.query(
    "select count(*)::int from audit_log where act = 'mining/post-day'",
  );
  expect(acts.rows[0].count).toBe(1);
  expect((await read("/operator/mining")).html).toContain("awaiting pool payout".replace("a", "A"));
  const late = {
    intent: "enter",
    payoutId: randomUUID(),
    day: ago(2),
    amount: "1",
    delivered: "1",
  };
  const other = await send("/operator/payouts/new", { ...late, poolId, txid: "cd".repeat(32) });
  expect(other.html).toContain("This day is credited");
  const pool = { intent: "pool", name: "Late pool", format: "other", countsFrom: ago(2) };
  expect((await send("/operator/payouts/pools", pool, "alan")).html).toContain(
    "Days until then are credited",
  );
});

test("the automatic run is switched off and on by who decides", async () => {
  const off = { intent: "automatic", seen: "0", percent: "5" };
  expect((await send("/operator/mining", off, "alan")).status).toBe(302);
  expect((await read("/operator/mining", "alan")).html).toContain("By staff only");
  const on = { intent: "automatic", byItself: "on", percent: "20" };
  // A page of before, where it was on.
  const old = await send("/operator/mining", { ...on, seen: "0" }, "alan");
  expect(old.status).toBe(409);
  expect(old.html).toContain("These settings were changed");
  expect(old.html).toContain('value="20"');
  expect(/<input[^>]+name="byItself"[^>]*>/.exec(old.html)?.[0]).not.toContain("checked");
  expect((await read("/operator/mining")).html).toContain("By staff only");
  const seen = /name="seen" value="(\d+)"/.exec(old.html)?.[1] ?? "";
  expect((await send("/operator/mining", { ...on, seen }, "alan")).status).toBe(302);
  expect((await read("/operator/mining")).html).toContain("Automatically, once complete");
  expect((await read("/operator/mining/contracts")).html).toContain("No maintenance is unpaid.");
});

test("what is not there is not found", async () => {
  for (const path of [
    "plans",
    "payouts",
    "payouts/statements",
    "fleet/deliveries",
    "fleet/outages",
  ]) {
    expect((await read(`/operator/${path}/${randomUUID()}`)).status).toBe(404);
  }
  expect((await read("/operator/mining/2026-02-30")).status).toBe(404);
});
