import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { isApproval, type Permission, permissions } from "#core/permissions.ts";
import { readRows, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { verifyAssertion } from "../mfa/check-passkey.ts";
import { askedAt } from "./approval.ts";
import { approvalChallenge, approvalText } from "./approval-text.ts";
import type { KeptSignature } from "./approve-with-passkey.ts";

/** An act as the chain has it; its detail as PostgreSQL writes jsonb. */
export interface WalkedAct {
  link: string;
  act: string;
  operatorId: string | null;
  customerId: string | null;
  subject: string;
  detail: string;
  occurredAt: string;
}

interface KnownPasskey {
  operatorId: string;
  publicKey: string;
  signCount: number;
}

interface ApprovalCheck {
  claim: string;
  holds: boolean;
  detail: string;
}

/** A question is open for five minutes; the act's own clock was read before or after it. */
const mostMinutes = 10;

/**
 * Checks what was approved, act by act in the chain's order: that each signature is of the text that its audit row gives now, by
 * a passkey that was that person's then, made once, with a counter that only grows; and that whoever had a passkey signed.
 * Passkeys are known from the chain's own notes, and the table of them is held against these at the end.
 */
export function walkApprovals(): {
  look(act: WalkedAct): Promise<void>;
  check(tx: Tx): Promise<ApprovalCheck[]>;
} {
  const known = new Map<string, KnownPasskey>();
  const used = new Set<string>();
  const count = { signed: 0, byCode: 0 };
  let wrong: string | null = null;
  return {
    async look(act) {
      const detail = readDetail(act.detail);
      if (act.operatorId === null) {
        noteNews(known, act, detail);
        return;
      }
      const signature = detail["passkey"] as KeptSignature | undefined;
      const fault = signature
        ? await findFault(act, detail, signature, { known, used })
        : findMissing(act, known);
      if (signature) count.signed += 1;
      else if (isAnApproval(act.act)) count.byCode += 1;
      if (fault) wrong ??= `link ${act.link} (${act.act} on ${act.subject}): ${fault}`;
    },
    async check(tx) {
      const claim = "what was approved is what its person signed with a passkey";
      const { signed, byCode } = count;
      const detail = wrong ?? `${signed} signed, ${byCode} by a code of a person without a passkey`;
      return [{ claim, holds: wrong === null, detail }, await comparePasskeys(tx, known)];
    },
  };
}

function isAnApproval(act: string): boolean {
  return Object.hasOwn(permissions, act) && isApproval(act as Permission);
}

function readDetail(text: string): Record<string, unknown> {
  const said: unknown = JSON.parse(text);
  return typeof said === "object" && said !== null ? (said as Record<string, unknown>) : {};
}

/** PostgreSQL notes by itself which passkeys staff add and remove: `passkeys_of_staff_are_noted`. */
function noteNews(
  known: Map<string, KnownPasskey>,
  { act, subject }: WalkedAct,
  detail: Record<string, unknown>,
): void {
  const credential = String(detail["credential"]);
  if (act === "identity/note-passkey-removed") known.delete(credential);
  if (act !== "identity/note-passkey-added") return;
  known.set(credential, {
    operatorId: subject.replace(/^operator:/, ""),
    publicKey: String(detail["publicKey"]),
    signCount: Number(detail["signCount"]),
  });
}

function findMissing({ act, operatorId }: WalkedAct, known: Map<string, KnownPasskey>) {
  const hasOne = [...known.values()].some((passkey) => passkey.operatorId === operatorId);
  return isAnApproval(act) && hasOne ? "not signed, though its person had a passkey" : null;
}

async function findFault(
  act: WalkedAct,
  detail: Record<string, unknown>,
  signature: KeptSignature,
  { known, used }: { known: Map<string, KnownPasskey>; used: Set<string> },
): Promise<string | null> {
  const { asked, credential, authenticatorData, clientData } = signature;
  const passkey = known.get(credential);
  if (!passkey || passkey.operatorId !== act.operatorId) {
    return "signed with a passkey that was not this person's then";
  }
  if (used.has(asked)) return "its signature approved another act before";
  used.add(asked);
  const apartMs = Math.abs(Date.parse(act.occurredAt) - askedAt(asked));
  if (!(apartMs <= mostMinutes * 60_000)) return "signed at another time";
  const origin = readOrigin(clientData);
  if (!origin) return "its signature cannot be read";
  const text = approvalText({ ...act, operatorId: act.operatorId ?? "", detail }, asked);
  const response: AuthenticationResponseJSON = {
    id: credential,
    rawId: credential,
    type: "public-key",
    clientExtensionResults: {},
    response: { authenticatorData, clientDataJSON: clientData, signature: signature.signature },
  };
  const signCount = await verifyAssertion(
    { origin, rpID: new URL(origin).hostname },
    { publicKey: Buffer.from(passkey.publicKey, "base64url"), signCount: passkey.signCount },
    { response, expectedChallenge: Buffer.from(approvalChallenge(text)).toString("base64url") },
  );
  if (signCount === null) return "what it says is not what was signed, or its passkey was copied";
  passkey.signCount = signCount;
  return authenticatorData ? null : "its signature cannot be read";
}

/** Where it was signed; the authenticator's own hash of that place is checked with it. */
function readOrigin(clientData: string): string | null {
  try {
    const { origin } = JSON.parse(Buffer.from(clientData, "base64url").toString("utf8"));
    return typeof origin === "string" && URL.canParse(origin) ? origin : null;
  } catch {
    return null;
  }
}

async function comparePasskeys(tx: Tx, known: Map<string, KnownPasskey>): Promise<ApprovalCheck> {
  const claim = "the passkeys of staff are those that the chain has notes of";
  const rows = await readRows(
    tx,
    sql`select p.user_id as "operatorId", in_base64url(p.credential_id) as credential,
          in_base64url(p.public_key) as "publicKey"
          from passkeys p join operators o on o.id = p.user_id order by p.created_at, p.id`,
    { operatorId: text, credential: text, publicKey: text },
  );
  const isNoted = ({ operatorId, credential, publicKey }: (typeof rows)[number]) => {
    const noted = known.get(credential);
    return noted?.operatorId === operatorId && noted.publicKey === publicKey;
  };
  const strange = rows.find((row) => !isNoted(row));
  const detail = strange
    ? `a passkey of the operator ${strange.operatorId} is not as it was added`
    : `${rows.length} of ${known.size}`;
  return { claim, holds: !strange && rows.length === known.size, detail };
}
