import type { Tx } from "../../platform/database.ts";
import { credentials, users } from "../schema.ts";

export interface NewUser {
  id: string;
  kind: "customer" | "operator";
  email: string;
  firstName: string;
  lastName: string;
  /** Null: no password yet, a link sets it. */
  passwordHash: string | null;
  now: Date;
}

/** Adds a user with a credential to sign in by; false when the e-mail address is taken. */
export async function insertUser(tx: Tx, user: NewUser): Promise<boolean> {
  const { id, kind, firstName, lastName, now } = user;
  const times = { createdAt: now, updatedAt: now };
  const added = await tx
    .insert(users)
    .values({ id, kind, email: user.email.toLowerCase(), firstName, lastName, ...times })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (added.length === 0) return false;
  await tx.insert(credentials).values({ userId: id, password: user.passwordHash, ...times });
  return true;
}
