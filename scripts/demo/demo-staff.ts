import type { OperatorRole } from "../../core/permissions.ts";
import type { App } from "../../server/app-context.ts";
import { resetPassword } from "../../server/identity/passwords/reset-password.ts";
import { issueLink } from "../../server/identity/registration/issue-link.ts";
import { registerCustomer } from "../../server/identity/registration/register-customer.ts";
import { verifyEmail } from "../../server/identity/registration/verify-email.ts";
import { createOperator } from "../../server/identity/staff/create-operator.ts";
import { findActiveOperator } from "../../server/identity/staff/find-operator.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { openDatabase } from "../../server/platform/database.ts";

/** An operator, as the server's command makes one with the owner's login, who has set a password. */
export async function addStaff(
  app: App,
  person: {
    email: string;
    firstName: string;
    lastName: string;
    role: OperatorRole;
    ownerUrl: string;
    password: string;
    now: Date;
  },
): Promise<Operator> {
  const { ownerUrl, password, now } = person;
  const { appUrl } = app.config;
  const ownersDb = openDatabase(ownerUrl, app.log, { connections: 1, as: "owner" });
  const made = await createOperator(ownersDb, { ...person, appUrl });
  await ownersDb.$client.end();
  const token = new URL(made.url).searchParams.get("token") ?? "";
  await resetPassword(app.db, { token, password, site: app.config, now });
  const operator = await findActiveOperator(app.db, made.operatorId);
  if (!operator) throw new Error("the operator just made is not there");
  return { ...operator, requestId: null, provedAt: app.now() };
}

/** A customer, who follows the mailed link where `verified` says so. */
export async function addPerson(
  app: App,
  person: {
    name: readonly [string, string];
    email: string;
    verified: boolean;
    password: string;
    now: Date;
  },
): Promise<string> {
  const { name, email, verified, password, now } = person;
  const [firstName, lastName] = name;
  const { siteName, appUrl } = app.config;
  const site = { siteName, appUrl };
  const registration = { firstName, lastName, email, password, site, now };
  const { customerId } = await registerCustomer(app.db, registration);
  if (verified) {
    const link = { userId: customerId, email, purpose: "verify-email", appUrl, now } as const;
    const { url } = await app.db.transaction((tx) => issueLink(tx, link));
    await verifyEmail(app.db, { token: new URL(url).searchParams.get("token") ?? "", now });
  }
  return customerId;
}
