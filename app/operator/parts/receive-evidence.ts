import { errorsOf, unlessRefused } from "#app/run-act.ts";
import { fileRefusalWords } from "#app/ui/forms/file-refusal-words.ts";
import type { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { keepEvidence } from "#server/adjustments/keep-evidence.ts";
import type { App } from "#server/app-context.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { readUpload } from "#server/platform/files/read-upload.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";

/** What is wrong with a form, at its fields or as a whole, and the answer's status. */
export type Refused = {
  fieldErrors?: Record<string, string[]>;
  formErrors?: string[];
  status: number;
};

/**
 * Reads a form whose field `evidence` is a file. The file is kept first, as a draft whose id stands in `evidenceId`, so
 * that it stays when a field is wrong.
 */
export async function receiveEvidence(app: App, operator: Operator, request: Request) {
  const upload = { account: operator.id, field: "evidence", maxBytes: terms.slipMaxBytes };
  return readUpload(request, upload, async ({ fields, file, refusal }) => {
    if (!file) return { fields, fault: refusal };
    return unlessRefused(
      async () => {
        const { evidenceId } = await keepEvidence(app, operator.id, file, app.now());
        fields.set("evidenceId", evidenceId);
        return { fields, fault: refusal };
      },
      (fault) => ({ fields, fault }),
    );
  });
}

/** What is wrong with a form that has a file, whose field stays out of `fields`. */
export function refusedAt(refusal: Refusal, fields: FormData, say = sayRefusal): Refused {
  const said = say(refusal);
  if (!said) throw refusal;
  const has = (name: string) => name === "evidence" || fields.has(name);
  return { status: said.status, ...errorsOf(said, { has }) };
}

/** What is wrong with the file, beside what is wrong with the other fields. */
export function withEvidenceFault(
  fault: Refusal,
  others: Record<string, string[] | null> | null,
): Refused {
  const words = fileRefusalWords(fault.code, "evidence");
  if (!words) throw fault;
  const kept = Object.entries(others ?? {}).filter(([, errors]) => errors !== null);
  return {
    status: words.status,
    fieldErrors: {
      ...(Object.fromEntries(kept) as Record<string, string[]>),
      evidence: [words.text],
    },
  };
}
