import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findTransferProof } from "#server/proof/find-transfer-proof.ts";
import type { Route } from "./+types/proof-file";
import { countFile, proofFiles } from "./file-answer.ts";

/** All that leads from one transfer to the published hash of a day: docs/proof.md says what each field is. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { id } = context.get(customerContext);
  await countFile(app, id, proofFiles);
  const proof = await findTransferProof(app.db, id, params.transferId);
  if (!proof) throw data(null, { status: 404, statusText: "Not Found" });
  return Response.json(proof);
}
