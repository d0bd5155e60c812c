import { Refusal } from "../core/refusal.ts";
import { createOperator } from "../server/identity/create-operator.ts";
import { countOwners } from "../server/identity/queries.ts";
import { type Config, readConfig } from "../server/platform/config.ts";
import { openDatabase } from "../server/platform/database.ts";
import { findLastAddress } from "../server/platform/last-address.ts";
import { openLog } from "../server/platform/log.ts";
import { migrate } from "../server/platform/migrate.ts";
import { loadEnv } from "./load-env.ts";
import { readInvitation, usage } from "./operator-arguments.ts";
import { reachDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";

const invitation = readInvitation(process.argv.slice(2));
if (typeof invitation === "string") {
  console.error(`${invitation} ${usage}`);
  process.exit(1);
}

try {
  await invite(invitation, readConfig(loadEnv()));
} catch (error) {
  console.error(error instanceof Refusal ? wordsFor(error) : oneLine(error));
  process.exitCode = 1;
}

async function invite(
  person: { email: string; firstName: string; lastName: string },
  config: Config,
): Promise<void> {
  const database = await reachDatabase(config);
  try {
    await migrate(database.ownerUrl);
    const db = openDatabase(database.applicationUrl, openLog("silent"), 2);
    try {
      // Who set the address in the command's own environment means it; else the product knows best.
      const saysAddress = ["APP_URL", "HOST", "PORT"].some((name) => process.env[name]);
      const appUrl = (!saysAddress && findLastAddress(config.dataDir)) || config.appUrl;
      const owners = await countOwners(db);
      const made = await createOperator(db, { ...person, role: "owner", appUrl, now: new Date() });
      console.log(
        made.isNew
          ? `${person.email} is an operator now. The link below sets the password.`
          : `${person.email} is an operator already. The fresh link below sets a new password; older ones end.`,
      );
      if (owners > 0) console.log(saysEmergency(owners));
      console.log(`It works once, until ${made.expiresAt.toISOString()}:\n\n${made.url}\n`);
    } finally {
      await db.$client.end();
    }
  } finally {
    await database.stop();
  }
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
      "That e-mail address belongs to a customer. An operator needs one of his own.",
    "identity/operator-suspended": "That operator is suspended.",
  };
  return words[refusal.code] ?? refusal.code;
}
