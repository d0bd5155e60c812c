import { appContext } from "#server/app-context.ts";
import { getCompany } from "#server/content/get-company.ts";
import type { Route } from "./+types/security-txt";
import { plainText } from "./plain-text.ts";

/** Days until the file must be read again: RFC 9116 advises less than a year. */
const validDays = 180;

/** Where to report a weakness (RFC 9116). Without an address of the company there is no such file. */
export async function loader({ context }: Route.LoaderArgs) {
  const { config, db, now } = context.get(appContext);
  const { email } = await getCompany(db);
  if (!email) throw new Response("There is no such file.\n", { status: 404 });
  return plainText([
    `Contact: mailto:${email}`,
    `Expires: ${expiry(now()).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${config.appUrl}/.well-known/security.txt`,
  ]);
}

/** A midnight, so that the file is the same all day. */
function expiry(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + validDays));
}
