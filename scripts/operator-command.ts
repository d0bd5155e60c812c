import { Refusal } from "../core/refusal.ts";
import { createOperator } from "../server/identity/staff/create-operator.ts";
import { countOwners } from "../server/identity/staff/find-operator.ts";
import { helpOperator } from "../server/identity/staff/help-operator.ts";
import { suspendFromServer } from "../server/identity/staff/suspend-from-server.ts";
import type { Config } from "../server/platform/config.ts";
import { findLastAddress } from "../server/platform/database/last-address.ts";
import { migrate } from "../server/platform/database/migrate.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { readInvitation, readOrder, usage } from "./operator-arguments.ts";
import type { Printed } from "./printed.ts";
import type { ReachedDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";
import { readConfigOfExisting, withOpened } from "./with-database.ts";

const done = {
  unfreeze: "can sign in again.",
  "reset-factors": "sets up a new second factor at the next sign-in.",
  suspend:
    "is suspended and signed out everywhere. All owners are told by mail; the audit log says that this was run. An owner can reinstate in the console.",
};

/** `npm run operator`. Returns the exit code. */
export async function operatorCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  printed: Printed,
): Promise<number> {
  const asked = readOrder(args) ?? readInvitation(args);
  if (typeof asked === "string") {
    printed.error(`${asked} ${usage}`);
    return 1;
  }
  try {
    const config = readConfigOfExisting(env);
    const site = { siteName: config.siteName, appUrl: addressOf(config, env) };
    const says = await withOpened(config, openAsOwner, (db) =>
      "kind" in asked ? obey(db, site, asked) : invite(db, site.appUrl, asked),
    );
    printed.log(says);
    return 0;
  } catch (error) {
    printed.error(error instanceof Refusal ? wordsFor(error) : oneLine(error));
    return 1;
  }
}

/** PostgreSQL takes an act without a person from who owns the tables alone. */
async function openAsOwner({ ownerUrl }: ReachedDatabase): Promise<Db> {
  await migrate(ownerUrl);
  return openDatabase(ownerUrl, openLog("silent"), { connections: 2, as: "owner" });
}

/** Returns what to say of it, as `obey` does. */
async function invite(
  db: Db,
  appUrl: string,
  person: { email: string; firstName: string; lastName: string },
): Promise<string> {
  const owners = await countOwners(db);
  const made = await createOperator(db, { ...person, role: "owner", appUrl, now: new Date() });
  return [
    made.isNew
      ? `${person.email} is an operator now. The link below sets the password.`
      : `${person.email} is an operator already. The fresh link below sets a new password; older ones end.`,
    ...(owners > 0 ? [saysEmergency(owners)] : []),
    `It works once, until ${made.expiresAt.toISOString()}:\n\n${made.url}\n`,
  ].join("\n");
}

async function obey(
  db: Db,
  site: { siteName: string; appUrl: string },
  order: Exclude<ReturnType<typeof readOrder>, string | null>,
): Promise<string> {
  const { kind, ...about } = { ...order, now: new Date() };
  if (kind === "suspend") await suspendFromServer(db, site, about);
  else await helpOperator(db, site, { kind, ...about });
  return `${order.email} ${done[kind]}`;
}

/** Who set the address in the command's own environment means it; else the product knows best. */
function addressOf(config: Config, env: NodeJS.ProcessEnv): string {
  const saysAddress = ["APP_URL", "HOST", "PORT"].some((name) => env[name]);
  return (!saysAddress && findLastAddress(config.dataDir)) || config.appUrl;
}

/** With owners there, this is for when none of them can sign in. */
function saysEmergency(owners: number): string {
  const count =
    owners === 1 ? "There was one owner already" : `There were ${owners} owners already`;
  return [
    `${count}. In the console, owners invite others, and a second owner confirms it.`,
    "This command asks nobody: it is the emergency way for who holds the machine. The audit log says that it was run.",
  ].join("\n");
}

function wordsFor(refusal: Refusal): string {
  const words: Record<string, string> = {
    "identity/email-belongs-to-customer":
      "That e-mail address belongs to a customer. An operator needs their own.",
    "identity/no-such-operator": "Nobody of the staff has that e-mail address.",
    "identity/no-factors": "That operator has no second factor: the next sign-in sets one up.",
    "identity/not-frozen": "That account is not frozen.",
    "identity/nothing-to-change": "That operator is suspended already.",
    "identity/last-owner":
      "That is the last owner who can act: make another one first (create), who sets a password.",
    "identity/operator-suspended": "That operator is suspended.",
  };
  return words[refusal.code] ?? refusal.code;
}
