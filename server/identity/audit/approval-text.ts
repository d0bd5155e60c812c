import { createHash } from "node:crypto";

/** What is approved: what the audit row says of the act, without the signature itself. */
export interface ApprovedAct {
  act: string;
  operatorId: string;
  customerId: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

/**
 * The text that a passkey signs, one fact a line, computed from the audit row alone: `npm run verify -- audit` writes it
 * again (docs/decisions/0066). `asked` is the question's own mark, so that no signature approves twice.
 */
export function approvalText(
  { act, operatorId, customerId, subject, detail }: ApprovedAct,
  asked: string,
): string {
  const facts = Object.entries(detail)
    .filter(([name, value]) => name !== "passkey" && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = [
    ["act", act],
    ["operator", operatorId],
    ["customer", customerId],
    ["subject", subject],
    ...facts.map(([name, value]) => [`detail ${name}`, value]),
    ["asked", asked],
  ];
  const written = lines.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return ["assay approval 1", ...written].join("\n");
}

/** What an authenticator is asked to sign: SHA-256 of the text. */
export function approvalChallenge(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash("sha256").update(text).digest());
}
