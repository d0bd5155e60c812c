import { randomUUIDv7 } from "node:crypto";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { type BetterAuthOptions, betterAuth } from "better-auth/minimal";
import { and, eq, isNotNull } from "drizzle-orm";
import { terms } from "#core/terms.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { credentials, customers, operators, sessions, users } from "./schema.ts";

/** Where the sign-in page hands us the address that configured proxies vouch for. No client can set it. */
export const clientAddressHeader = "x-assay-client-address";

/**
 * Opens what checks passwords and keeps sessions: better-auth on our tables. Its HTTP routes are not
 * mounted; pages call `auth.api`. Registration, verification and reset are acts of our own, because each
 * must be one transaction with its mail.
 */
export function createAuth({ db, config, log }: { db: Db; config: Config; log?: Log }) {
  return betterAuth({
    baseURL: config.appUrl,
    secret: config.authSecret,
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message) => log?.error(message) },
    rateLimit: { enabled: false },
    database: drizzleAdapter(db, {
      provider: "pg",
      schema: { user: users, session: sessions, account: credentials },
    }),
    user: {
      additionalFields: {
        kind: { type: "string", input: false },
        firstName: { type: "string", input: false },
        lastName: { type: "string", input: false },
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: terms.minimumPasswordLength,
      maxPasswordLength: terms.maximumPasswordLength,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    session: {
      expiresIn: terms.rememberedSessionDays * 86_400,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    advanced: {
      cookiePrefix: "assay",
      useSecureCookies: config.appUrl.startsWith("https:"),
      // Its check would ask for tables and columns of sign-in methods that we do not offer.
      database: { generateId: () => randomUUIDv7(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    databaseHooks: { session: { create: { before: beforeSession(db) } } },
  } satisfies BetterAuthOptions);
}

export type Auth = ReturnType<typeof createAuth>;

/** Refuses suspended staff and closed accounts a session, and ends one that shall not be remembered after some hours. */
function beforeSession(db: Db) {
  return async (
    session: { userId: string; expiresAt: Date; createdAt: Date },
    context: { body?: { rememberMe?: boolean } } | null,
  ) => {
    const [suspended] = await db
      .select({ id: operators.id })
      .from(operators)
      .where(and(eq(operators.id, session.userId), eq(operators.state, "suspended")));
    if (suspended) return false;
    const [closed] = await db
      .select({ id: customers.id })
      .from(customers)
      .where(and(eq(customers.id, session.userId), isNotNull(customers.closedAt)));
    if (closed) return false;
    if (context?.body?.rememberMe !== false) return { data: session };
    const endsAfterMs = terms.forgottenSessionHours * 3_600_000;
    return { data: { ...session, expiresAt: new Date(session.createdAt.getTime() + endsAfterMs) } };
  };
}
