import { randomUUIDv7 } from "node:crypto";
import { isCountry, isServed } from "#core/people/countries.ts";
import { Refusal } from "#core/refusal.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Db } from "../platform/database.ts";
import type { Browser } from "./browser.ts";
import { expireApproval } from "./expire-approval.ts";
import { getKyc } from "./get-kyc.ts";
import { lockDraft } from "./lock-draft.ts";
import { residenceStatements } from "./schema.ts";

/**
 * Records the country that a customer declares. The United States are kept too, and refused: verifiers see both answers of
 * somebody who gives another one later. Saying the same again changes nothing. Who moves to another country has to be
 * verified again: an approval for the former one ends.
 *
 * @throws Refusal `kyc/no-such-country`, `kyc/under-review`, `kyc/residence-refused`
 */
export async function stateResidence(
  db: Db,
  { customerId, country, ...browser }: { customerId: string; country: string } & Browser,
  now: Date,
): Promise<void> {
  if (!isCountry(country)) throw new Refusal("kyc/no-such-country");
  await db.transaction(async (tx) => {
    await lockDraft(tx, customerId, now);
    const { residence, state } = await getKyc(tx, customerId, now);
    if (residence?.country === country) return;
    if (state === "submitted") throw new Refusal("kyc/under-review");
    await tx
      .insert(residenceStatements)
      .values({ id: randomUUIDv7(), customerId, country, statedAt: now });
    await expireApproval(tx, customerId, now);
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "residence-stated",
      by: "self",
      detail: { country },
      ...browser,
      now,
    });
  });
  if (!isServed(country)) throw new Refusal("kyc/residence-refused");
}
