import { generateAuthenticationOptions } from "@simplewebauthn/server";
import { permissionTexts } from "#core/permission-texts.ts";
import type { Permission } from "#core/permissions.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { verifyAssertion } from "../mfa/check-passkey.ts";
import { passkeySite } from "../mfa/passkey-site.ts";
import { passkeys } from "../schema.ts";
import type { Approval } from "./approval.ts";
import { type ApprovedAct, approvalChallenge, approvalText } from "./approval-text.ts";

/** What the audit row keeps of a signature, all of it base64url: enough to check it again without this database's word. */
export interface KeptSignature {
  asked: string;
  credential: string;
  authenticatorData: string;
  clientData: string;
  signature: string;
}

/**
 * Lets an act pass that its person has signed with a passkey, exactly as it is about to be written down. Otherwise the form is
 * answered with a page that shows what is to be signed and carries the form, in the midst of the act, which is rolled back.
 *
 * @throws that page, or Refusal `identity/passkey-needed` where no page can ask
 */
export async function approveWithPasskey(
  tx: Tx,
  approval: Approval | undefined,
  act: ApprovedAct,
  now: Date,
): Promise<KeptSignature> {
  const at = approval && passkeySite(approval.site);
  if (!at) throw new Refusal("identity/passkey-needed");
  const { asked, given } = approval;
  const own = await tx
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, act.operatorId))
    .for("update");
  const text = approvalText(act, asked);
  const challenge = approvalChallenge(text);
  const askWith = async (fault: string | null) => {
    const options = await generateAuthenticationOptions({
      rpID: at.rpID,
      challenge,
      userVerification: "required",
      allowCredentials: own.map(({ credentialId, transports }) => ({
        id: base64url(credentialId),
        transports,
      })),
    });
    const does = permissionTexts[act.act as Permission] ?? act.act;
    return approval.ask({ text, does, options, asked, fault });
  };
  if (!given) throw await askWith(approval.fault);
  const passkey = own.find(({ credentialId }) => base64url(credentialId) === given.id);
  const expectedChallenge = base64url(challenge);
  const newCount =
    passkey && (await verifyAssertion(at, passkey, { response: given, expectedChallenge }));
  if (!passkey || newCount === null || newCount === undefined) throw await askWith(changedWords);
  await tx
    .update(passkeys)
    .set({ signCount: newCount, lastUsedAt: now })
    .where(eq(passkeys.id, passkey.id));
  const { authenticatorData, clientDataJSON: clientData, signature } = given.response;
  return { asked, credential: given.id, authenticatorData, clientData, signature };
}

const changedWords =
  "This was not signed as it is now: the passkey was not accepted, or what you approve changed meanwhile. Look at it once more.";

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
