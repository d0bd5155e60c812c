import { expect, test } from "vitest";
import { recomputeOwed } from "#core/proof/recompute-owed.ts";
import { formatDay } from "#core/utc-day.ts";
import { findOwedDay } from "#server/proof/list-days.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner } = product;
const ada = await createTestCustomer(db);
const ben = await createTestCustomer(db);
const cookies = { ada: await signInAs(product, ada), ben: await signInAs(product, ben) };
await creditTestDeposit(db, ada.id, 1_234_567n);

const page = async (cookie: string) =>
  (await (await product.request("/account/proof", { cookie })).text()).replaceAll("<!-- -->", "");
const file = (cookie: string) => product.request("/account/proof.json", { cookie });

test("before the first tree there is nothing, and the page says when there is", async () => {
  expect(await page(cookies.ada)).toContain("The first proof comes within the hour");
  expect(await (await file(cookies.ada)).json()).toBeNull();
});

test("a customer sees what the tree says, and gets the file that leads to the published hash", async () => {
  await publishProofDays(db);
  await creditTestDeposit(db, ada.id, 33n);
  const day = await findOwedDay(db);
  const html = await page(cookies.ada);
  for (const shown of ["0.01234567", day?.digest, day?.root, ada.id, formatDay(day?.day ?? "")])
    expect(html).toContain(shown);
  const { account, wasThere, ...proof } = JSON.parse(await (await file(cookies.ada)).text());
  expect(wasThere).toBe(true);
  expect(proof.leaf.balance.BTC).toBe("1234567");
  const steps = recomputeOwed(proof, account, day?.digest ?? "");
  expect(steps.filter(({ agrees }) => !agrees)).toEqual([]);
  expect(steps[1]).toMatchObject({ stated: "0.01234600 BTC" });
});

test("who came later is told that the next one is theirs, and who was left out that they are missing", async () => {
  expect(await page(cookies.ben)).toContain("The next one includes you.");
  expect(await (await file(cookies.ben)).json()).toMatchObject({ leaf: null, wasThere: false });
  await owner.query("delete from proof_leaves where customer_id = $1", [ada.id]);
  await owner.query(
    "begin; set local session_replication_role = replica; alter table ledger_transfers disable trigger user; update ledger_transfers set created_at = created_at - interval '1 hour'; alter table ledger_transfers enable trigger user; commit",
  );
  expect(await page(cookies.ada)).toContain("You are missing in the proof");
  expect(await (await file(cookies.ada)).json()).toMatchObject({ leaf: null, wasThere: true });
});

test("the file is given out so often, and to its customer", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 22; n += 1) statuses.push((await file(cookies.ben)).status);
  expect(statuses.filter((status) => status !== 200)).toEqual([429, 429, 429]);
  expect((await product.request("/account/proof.json")).status).toBe(302);
});
