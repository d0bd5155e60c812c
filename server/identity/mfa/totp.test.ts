import { expect, test } from "vitest";
import { openSecret, sealSecret } from "./seal-secret.ts";
import { appTime, matchTotp, totpCode, totpStep, totpUri } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");

// RFC 6238, appendix B, SHA-1: the last six of its eight digits.
test.each([
  ["1970-01-01T00:00:59Z", "287082"],
  ["2005-03-18T01:58:29Z", "081804"],
  ["2005-03-18T01:58:31Z", "050471"],
  ["2009-02-13T23:31:30Z", "005924"],
  ["2033-05-18T03:33:20Z", "279037"],
  ["2603-10-11T11:33:20Z", "353130"],
])("at %s the code is %s", (at, code) => {
  expect(totpCode(secret, totpStep(new Date(at)))).toBe(code);
});

test("takes the code of the step before and after, and no other", () => {
  const now = new Date("2026-03-01T12:00:10Z");
  const here = totpStep(now);
  const taken = [-2, -1, 0, 1, 2].filter(
    (drift) => matchTotp(secret, totpCode(secret, here + drift), now) !== null,
  );
  expect(taken).toEqual([-1, 0, 1]);
  for (const typed of ["", "12345", "1234567", "abcdef"]) {
    expect(matchTotp(secret, typed, now)).toBeNull();
  }
});

test("an app's clock is ours, but where a rehearsal's is ahead of the world by days", () => {
  const now = new Date("2026-03-04T12:00:10Z");
  expect(appTime({}, now)).toEqual(now);
  const threeDays = () => 3 * 86_400_000;
  expect(appTime({ appsBehindMs: threeDays }, now)).toEqual(new Date("2026-03-01T12:00:10Z"));
});

test("writes secrets as apps read them (RFC 4648)", () => {
  const uri = totpUri(Buffer.from("foobar"), { siteName: "Assay & Co", email: "ada@example.com" });
  expect(uri).toBe(
    "otpauth://totp/Assay%20%26%20Co:ada%40example.com?secret=MZXW6YTBOI&issuer=Assay%20%26%20Co",
  );
});

test("a sealed secret opens only with the same key, for the same person, unchanged", () => {
  const auth = { secret: "x".repeat(32), secretBefore: null, secureCookies: false };
  const sealed = sealSecret(auth, "ada", secret);
  expect(Buffer.from(sealed.sealedSecret).includes(secret)).toBe(false);
  expect(openSecret(auth, "ada", sealed)).toEqual(secret);
  expect(() => openSecret(auth, "bob", sealed)).toThrow();
  expect(() => openSecret({ ...auth, secret: "y".repeat(32) }, "ada", sealed)).toThrow();
  const { sealedSecret } = sealed;
  sealedSecret.set([(sealedSecret.at(-1) ?? 0) ^ 1], sealedSecret.length - 1);
  expect(() => openSecret(auth, "ada", sealed)).toThrow();
});

test("what the secret before has sealed opens beside the new one, named or from before names, and no longer without", () => {
  const before = { secret: "x".repeat(32), secretBefore: null, secureCookies: false };
  const after = { ...before, secret: "y".repeat(32), secretBefore: before.secret };
  const sealed = sealSecret(before, "ada", secret);
  for (const each of [sealed, { ...sealed, keyName: null }]) {
    expect(openSecret(after, "ada", each)).toEqual(secret);
    expect(() => openSecret({ ...after, secretBefore: null }, "ada", each)).toThrow();
  }
  const anew = sealSecret(after, "ada", secret);
  expect(anew.keyName).not.toBe(sealed.keyName);
  expect(openSecret({ ...after, secretBefore: null }, "ada", anew)).toEqual(secret);
});
