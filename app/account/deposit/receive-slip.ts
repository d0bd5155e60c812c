import { unlessRefused } from "#app/run-act.ts";
import type { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import type { App } from "#server/app-context.ts";
import { type DraftSlip, keepSlip } from "#server/deposits/slips/keep-slip.ts";
import { readUpload } from "#server/platform/files/read-upload.ts";

export interface ReceivedSlip {
  fields: FormData;
  slip: DraftSlip | null;
  /** Why the file was not kept. */
  refusal: Refusal | null;
}

/** Reads a form with a payment slip and keeps the slip as a draft of the customer, whatever the fields say. */
export async function receiveSlip(
  app: App,
  request: Request,
  customerId: string,
): Promise<ReceivedSlip> {
  const upload = { account: customerId, field: "slip", maxBytes: terms.slipMaxBytes };
  return readUpload(request, upload, async ({ fields, file, refusal }) => {
    if (!file) return { fields, slip: null, refusal };
    return unlessRefused(
      async () => ({ fields, slip: await keepSlip(app, customerId, file, app.now()), refusal }),
      (refused) => ({ fields, slip: null, refusal: refused }),
    );
  });
}
