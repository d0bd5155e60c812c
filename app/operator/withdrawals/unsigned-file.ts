import { unlessRefused } from "#app/run-act.ts";
import { downloadUnsigned } from "#server/withdrawals/batches/download-unsigned.ts";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/unsigned-file";

export const middleware = guard("withdrawals/download-psbt");

/** What signers take: a PSBT for Bitcoin, JSON for Ethereum. */
const kinds = {
  bitcoin: { suffix: "psbt", type: "application/octet-stream" },
  ethereum: { suffix: "json", type: "application/json" },
};

/** What is to be signed, as a file. Taking it away is written down. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const { batchId } = params;
  const number = Number(/^(\d{1,4})\.(psbt|json)$/.exec(params.unsignedFile)?.[1] ?? 0);
  const wanted = { batchId, number };
  const unsigned = await unlessRefused(
    () => downloadUnsigned(db, operator, wanted, now()),
    // A batch that is being ended is not signed any more.
    (refusal) => {
      const said = sayRefusal(refusal);
      if (!said) throw refusal;
      throw new Response(said.text, { status: 409, statusText: "Conflict" });
    },
  );
  if (!unsigned) throw notFound();
  const { suffix, type } = kinds[unsigned.chain];
  return new Response(Buffer.from(unsigned.bytes), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="batch-${batchId.slice(-12)}-${number}.${suffix}"`,
      "x-content-type-options": "nosniff",
    },
  });
}
