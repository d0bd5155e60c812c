import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import type { RunningProduct } from "../setup/run-product.ts";
import { addAuthenticator, becomeOperator, expect, expectAccessible, newEmail } from "./journey.ts";
import { test } from "./own-product.ts";

function verifyAudit({ dataDir }: RunningProduct) {
  return spawnSync(process.execPath, ["scripts/verify.ts", "audit"], {
    encoding: "utf8",
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "error", NODE_NO_WARNINGS: "1" },
  });
}

/** As who owns the database. */
async function asOwner({ dataDir }: RunningProduct, ...statements: string[]): Promise<void> {
  const client = new pg.Client(findRunningEmbeddedPostgres(dataDir)?.ownerUrl);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const guardsOff = `alter table audit_log disable trigger all; alter table audit_chain disable trigger all`;

const chainAnew = `do $$ declare l audit_chain; a audit_log; previous bytea := decode(repeat('00', 32), 'hex'); begin
  for l in select * from audit_chain order by link loop
    select * into a from audit_log where id = l.act_id;
    update audit_chain set previous_hash = previous, hash = audit_hash(l.link, previous, a) where link = l.link
      returning hash into previous;
  end loop; end $$`;

test("what is approved is signed with a passkey, and what is changed afterwards is named", async ({
  page: maker,
  browser,
  product,
}) => {
  const visitor = { baseURL: product.url };
  await becomeOperator(maker);
  const checker = await (await browser.newContext(visitor)).newPage();
  await becomeOperator(checker);
  await checker.goto("/operator/staff");
  await expect(checker.getByText("You approve this with a code")).toBeVisible();
  await addAuthenticator(checker);
  await checker.goto("/operator/security/passkey");
  await checker.getByLabel("Name").fill("My telephone");
  await checker.getByRole("button", { name: "Add a passkey" }).click();
  await checker.waitForURL("**/operator/security/recovery-codes");

  await maker.goto("/operator/adjustments/new?what=own-money");
  await maker.getByLabel("Amount").fill("0.5");
  await maker.getByLabel("Transaction id").fill(randomBytes(32).toString("hex"));
  await maker.getByRole("textbox", { name: "Reason" }).fill("Own coins for goodwill");
  await maker.getByRole("button", { name: "Propose to a colleague" }).click();
  await expect(maker.getByRole("heading", { name: "Waits for a colleague" })).toBeVisible();
  const adjustment = new URL(maker.url()).pathname;

  // Late or not, there is one question: the passkey signs what is approved.
  await checker.goto(adjustment);
  await asOwner(product, "update sessions set proved_at = now() - interval '11 minutes'");
  await expect(checker.getByText("You sign this with your passkey")).toBeVisible();
  await checker.getByRole("button", { name: /^Approve/ }).click();
  await expect(checker.getByRole("heading", { name: "Sign this with your passkey" })).toBeVisible();
  await expect(checker.getByText("approve a colleague's proposal, and post it")).toBeVisible();
  await expect(checker.getByText("0.50000000 BTC", { exact: true })).toBeVisible();
  await expectAccessible(checker);
  await checker.getByRole("button", { name: "Sign with your passkey" }).click();
  await expect(checker.getByText("Approved by")).toBeVisible();

  await maker.goto("/operator/staff");
  const invited = newEmail("olga");
  await maker.getByLabel("E-mail").fill(invited);
  await maker.getByLabel("First name").fill("Olga");
  await maker.getByLabel("Last name").fill("Prober");
  await maker.getByLabel("Role").selectOption("support");
  await asOwner(product, "update sessions set proved_at = now()");
  await maker.getByRole("button", { name: /^Invite|Propose/ }).click();
  await expect(maker.getByText("Waiting for a second owner")).toBeVisible();
  await checker.goto("/operator/staff");
  await checker.getByRole("button", { name: "Confirm" }).click();
  await expect(checker.getByText(invited, { exact: true })).toBeVisible();
  await checker.getByRole("button", { name: "Sign with your passkey" }).click();
  await expect(checker.getByText("Waiting for a second owner")).toHaveCount(0);
  await expect(checker.getByRole("link", { name: "Olga Prober" }).first()).toBeVisible();

  const whole = verifyAudit(product);
  expect(whole.stdout).toContain("2 signed, 0 by a code");
  expect(whole).toMatchObject({ status: 0, stderr: "" });
  const id = adjustment.split("/").at(-1);
  const raise = `update audit_log set detail = jsonb_set(detail, '{amount}', '"5.00000000 BTC"') where act = 'adjustments/approve'`;
  await asOwner(product, guardsOff, raise, chainAnew);
  const lied = verifyAudit(product);
  expect(lied.status).toBe(1);
  expect(lied.stdout).toContain(
    `(adjustments/approve on adjustment:${id}): what it says is not what was signed`,
  );
  expect(lied.stdout).toContain(`the adjustment ${id} is not the one that was approved`);
  await checker.context().close();
});
