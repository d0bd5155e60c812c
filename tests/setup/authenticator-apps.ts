import { totpCode, totpStep } from "#server/identity/mfa/totp.ts";

/** The authenticator apps of a test file's people, and the newest step that each has shown. */
const apps = new Map<string, { secret: Uint8Array; step: number }>();

export function hasApp(email: string): boolean {
  return apps.has(email);
}

/** Puts a secret into somebody's app. */
export function addApp(email: string, secret: Uint8Array): void {
  apps.set(email, { secret, step: totpStep(new Date()) - 2 });
}

/**
 * What the app shows. A code works once: three in a row lie within the drift that is allowed. The oldest of them is
 * taken only while it will still be allowed when it arrives.
 */
export function nextCode(email: string): string {
  const app = apps.get(email);
  if (!app) throw new Error(`${email} has no authenticator app`);
  app.step = Math.max(app.step + 1, totpStep(new Date(Date.now() + 15_000)) - 1);
  return totpCode(app.secret, app.step);
}
