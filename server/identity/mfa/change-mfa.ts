import { randomUUIDv7 } from "node:crypto";
import { type RegistrationResponseJSON, verifyRegistrationResponse } from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import { flag, getRow } from "#server/platform/database/read-rows.ts";
import { and, eq, isNotNull, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { countAttempt, forgetAttempts } from "../../platform/rate-limit.ts";
import type { Actor } from "../audit/actor.ts";
import {
  operators,
  passkeys,
  pendingMfaSessions,
  recoveryCodes,
  sessions,
  totpSecrets,
  users,
} from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { limits } from "../sign-in/limits.ts";
import { type MfaChange, noteMfaChange, raiseSession } from "./note-mfa-change.ts";
import { spendChallenge } from "./passkey-challenge.ts";
import { passkeyAlgorithms, passkeySite } from "./passkey-site.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { confirmTotp } from "./set-up-totp.ts";

interface App {
  db: Db;
  auth: Auth;
  config: Site;
}

/**
 * Takes the authenticator app that is being set up into use, in the place of the one before.
 *
 * @returns the cookies to set: the session has a new token
 * @throws Refusal `identity/wrong-code`, `identity/set-up-again`
 * @throws TooManyAttempts
 */
export async function addTotp(
  { db, auth, config }: App,
  actor: Actor,
  code: string,
): Promise<{ cookies: string[] }> {
  const { userId, now } = actor;
  await countAttempt(db, limits.codesOfNewApp, actor.sessionId, now);
  const cookie = await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await confirmTotp(tx, auth, { userId, begunIn: actor.sessionId, code, now });
    const event = "authenticator-added";
    await noteMfaChange(tx, config, actor, {
      event,
      sentence: "An authenticator app was added.",
    });
    return raiseSession(tx, auth, actor, "totp");
  });
  await forgetAttempts(db, limits.codesOfNewApp, actor.sessionId);
  return { cookies: [cookie] };
}

/**
 * Adds a passkey that a browser has just made.
 *
 * @returns the cookies to set: the session has a new token
 * @throws Refusal `identity/passkey-refused`, `identity/no-passkeys-here`
 */
export async function addPasskey(
  { db, auth, config }: App,
  actor: Actor,
  made: { name: string; response: RegistrationResponseJSON },
): Promise<{ cookies: string[] }> {
  const { userId, now } = actor;
  const { name, response } = made;
  const at = passkeySite(config);
  if (!at) throw new Refusal("identity/no-passkeys-here");
  const asked = { purpose: "register", userId } as const;
  const expectedChallenge = await spendChallenge(db, response, asked, now);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: at.origin,
    expectedRPID: at.rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: passkeyAlgorithms,
  }).catch(() => {
    throw new Refusal("identity/passkey-refused");
  });
  if (!verified) throw new Refusal("identity/passkey-refused");
  const { credential } = registrationInfo;
  const cookie = await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const added = await tx
      .insert(passkeys)
      .values({
        id: randomUUIDv7(),
        userId,
        name,
        credentialId: Buffer.from(credential.id, "base64url"),
        publicKey: credential.publicKey,
        signCount: credential.counter,
        transports: credential.transports ?? [],
        createdAt: now,
      })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning({ id: passkeys.id });
    if (added.length === 0) throw new Refusal("identity/passkey-refused");
    const sentence = "A passkey was added.";
    await noteMfaChange(tx, config, actor, {
      event: "passkey-added",
      sentence,
      detail: { name },
    });
    return raiseSession(tx, auth, actor, "passkey");
  });
  return { cookies: [cookie] };
}

/** @throws Refusal `identity/last-factor-of-staff` */
export async function removeTotp(app: App, actor: Actor): Promise<void> {
  const sentence = "The authenticator app was removed.";
  await removeMfa(app, actor, { event: "authenticator-removed", sentence }, async (tx) => {
    const own = and(eq(totpSecrets.userId, actor.userId), isNotNull(totpSecrets.confirmedAt));
    return (await tx.delete(totpSecrets).where(own).returning({ id: totpSecrets.id })).length > 0;
  });
}

/** @throws Refusal `identity/last-factor-of-staff` */
export async function removePasskey(app: App, actor: Actor, passkeyId: string): Promise<void> {
  const own = and(eq(passkeys.id, passkeyId), eq(passkeys.userId, actor.userId));
  const [passkey] = await app.db.select({ name: passkeys.name }).from(passkeys).where(own);
  if (!passkey) return;
  const { name } = passkey;
  const sentence = "A passkey was removed.";
  await removeMfa(
    app,
    actor,
    { event: "passkey-removed", sentence, detail: { name } },
    async (tx) => {
      return (await tx.delete(passkeys).where(own).returning({ id: passkeys.id })).length > 0;
    },
  );
}

/**
 * Makes ten recovery codes in place of those before.
 *
 * @throws Refusal `identity/no-factors` to who has none that they could stand in for
 */
export async function renewRecoveryCodes({ db, config }: App, actor: Actor): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.userId);
    const { any } = await getRow(tx, sql`select has_mfa(${actor.userId}) as any`, {
      any: flag,
    });
    if (!any) throw new Refusal("identity/no-factors");
    const codes = await replaceRecoveryCodes(tx, actor.userId, actor.now);
    const sentence = "New recovery codes were made. The ones before no longer work.";
    await noteMfaChange(tx, config, actor, { event: "recovery-codes-renewed", sentence });
    return codes;
  });
}

/** Removing what is gone already changes nothing and tells nobody. */
async function removeMfa(
  { db, config }: App,
  actor: Actor,
  change: MfaChange,
  remove: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const { userId } = actor;
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await remove(tx))) return;
    const left = await getRow(
      tx,
      sql`select has_mfa(${userId}) as any, exists (select from ${operators} where id = ${userId}) as staff`,
      { any: flag, staff: flag },
    );
    if (!left.any) {
      if (left.staff) throw new Refusal("identity/last-factor-of-staff");
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      await tx.delete(pendingMfaSessions).where(eq(pendingMfaSessions.userId, userId));
      // Sessions that rested on a factor rest on the password now: nothing else is left to be asked for.
      await tx.update(sessions).set({ provedBy: "password" }).where(eq(sessions.userId, userId));
    }
    await noteMfaChange(tx, config, actor, change);
  });
}

/** Two changes of one person's factors come one after the other. */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}
