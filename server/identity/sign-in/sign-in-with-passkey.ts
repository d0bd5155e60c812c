import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { clientNetwork, countAttempt } from "../../platform/rate-limit.ts";
import { checkPasskey } from "../mfa/check-passkey.ts";
import { credentials, operators, users } from "../schema.ts";
import { type Entrance, openSession } from "../sessions/open-session.ts";
import type { SignedInUser } from "../sessions/signed-in-user.ts";
import { findKnownDevice, isKnownSincePassword, rememberDevice } from "./known-device.ts";
import { limits } from "./limits.ts";
import type { Visitor } from "./pass-mfa.ts";

/**
 * Signs in by a passkey alone: it is something one has, and it has verified who holds it. The session ends like one
 * that is not remembered.
 *
 * @throws Refusal `identity/passkey-refused`, also to suspended staff; `identity/account-frozen`
 * @throws TooManyAttempts
 */
export async function signInWithPasskey(
  { db, auth, config, ipCountry }: { db: Db } & Entrance,
  visitor: Visitor,
  response: AuthenticationResponseJSON,
): Promise<{ user: SignedInUser; cookies: string[] }> {
  const { clientAddress, cookieHeader, now } = visitor;
  await countAttempt(db, limits.signInByNetwork, clientNetwork(clientAddress), now);
  return db.transaction(async (tx) => {
    const asked = { purpose: "sign-in", userId: null } as const;
    const { userId } = await checkPasskey(tx, config, { response, asked, now });
    const [person] = await tx
      .select({
        email: users.email,
        kind: users.kind,
        hash: sql<string>`coalesce(${credentials.password}, '')`,
        state: operators.state,
        isFrozen: sql<boolean>`is_frozen(${users.id})`,
      })
      .from(users)
      .leftJoin(operators, eq(operators.id, users.id))
      .leftJoin(credentials, eq(credentials.userId, users.id))
      .where(eq(users.id, userId));
    if (!person || person.state === "suspended") throw new Refusal("identity/passkey-refused");
    if (person.isFrozen) throw new Refusal("identity/account-frozen");
    const known = findKnownDevice(auth, person.email, cookieHeader);
    const cookies = await openSession(
      tx,
      { auth, config, ipCountry },
      {
        ...visitor,
        userId,
        kind: person.kind,
        provedBy: "passkey",
        rememberMe: false,
        knownDevice: isKnownSincePassword(auth, known, person.hash),
      },
    );
    const device = rememberDevice(auth, person.email, {
      known,
      hash: person.hash,
    });
    return { user: { id: userId, kind: person.kind }, cookies: [...cookies, device] };
  });
}
