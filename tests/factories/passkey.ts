import { createHash, createSign, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { passkeys } from "#server/identity/schema.ts";
import type { Db } from "#server/platform/database.ts";

/** An authenticator that verifies its user and counts, with one passkey of somebody's. */
export interface TestPasskey {
  credential: string;
  /** What it answers at an origin to a challenge in base64url. */
  sign(origin: string, challenge: string): AuthenticationResponseJSON;
}

/** Gives somebody a passkey, as the page that adds one does. */
export async function createTestPasskey(db: Db, userId: string): Promise<TestPasskey> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = (text: string) => Buffer.from(text, "base64url");
  // COSE (RFC 9052): an EC2 key for ES256 on P-256.
  const head = Buffer.from("a5010203262001215820", "hex");
  const cose = Buffer.concat([head, point(x), Buffer.from("225820", "hex"), point(y)]);
  const credentialId = randomBytes(16);
  await db.insert(passkeys).values({
    id: randomUUID(),
    userId,
    name: "Test",
    credentialId,
    publicKey: Uint8Array.from(cose),
    signCount: 0,
    createdAt: new Date("2026-01-01T00:00:00Z"),
  });
  const credential = credentialId.toString("base64url");
  let count = 0;
  return {
    credential,
    sign(origin, challenge) {
      count += 1;
      const client = { type: "webauthn.get", challenge, origin, crossOrigin: false };
      const clientData = Buffer.from(JSON.stringify(client));
      const counter = Buffer.alloc(4);
      counter.writeUInt32BE(count);
      const site = createHash("sha256").update(new URL(origin).hostname).digest();
      // Present, and verified.
      const data = Buffer.concat([site, Buffer.from([0x05]), counter]);
      const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
      const signature = createSign("sha256").update(signed).sign(privateKey);
      return {
        id: credential,
        rawId: credential,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          authenticatorData: data.toString("base64url"),
          clientDataJSON: clientData.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      };
    },
  };
}
