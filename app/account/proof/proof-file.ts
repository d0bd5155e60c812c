import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findOwedProof } from "#server/proof/find-owed-proof.ts";
import { countFile, proofFiles } from "../transactions/file-answer.ts";
import type { Route } from "./+types/proof-file";

/** A customer's place in the newest tree of what is owed, and what the account says: docs/proof.md says what each field is. */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { id } = context.get(customerContext);
  await countFile(app, id, { ...proofFiles, purpose: "proof/owed" });
  const found = await findOwedProof(app.db, id);
  if (!found) throw data(null, { status: 404, statusText: "Not Found" });
  const { proof, shown: account, day, wasThere } = found;
  return Response.json({ leaf: null, path: [], day, ...proof, account, wasThere });
}
