import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findOwedProof } from "#server/proof/find-owed-proof.ts";
import { listOwedDays } from "#server/proof/list-days.ts";
import { countFile, proofFiles } from "../transactions/file-answer.ts";
import type { Route } from "./+types/proof-file";

/** A customer's place in the tree of what is owed of `?day=`, or the newest one, and what the account says: docs/proof.md says what each field is. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { id } = context.get(customerContext);
  await countFile(app, id, { ...proofFiles, purpose: "proof/owed" });
  const asked = new URL(request.url).searchParams.get("day");
  const days = asked === null ? [] : await listOwedDays(app.db);
  const found = await findOwedProof(app.db, id, days.find((day) => day === asked) ?? null);
  if (!found) return Response.json(null);
  const { proof, shown: account, day, wasThere } = found;
  return Response.json({ leaf: null, path: [], day, ...proof, account, wasThere });
}
