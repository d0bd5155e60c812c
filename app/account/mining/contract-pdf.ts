import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { getCompany } from "#server/content/get-company.ts";
import { findContract } from "#server/contracts/find-contract.ts";
import { listMaintenance } from "#server/contracts/maintenance/list-maintenance.ts";
import { writeContractPdf } from "#server/contracts/write-contract-pdf.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { countFile } from "../transactions/file-answer.ts";
import type { Route } from "./+types/contract-pdf";

/** The contract on paper, for its owner. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { db, config } = app;
  const customer = context.get(customerContext);
  const contract = await findContract(db, customer.id, params.contractId);
  if (!contract) throw data(null, { status: 404, statusText: "Not Found" });
  await countFile(app, customer.id);
  const [company, announced] = await Promise.all([
    getCompany(db),
    listMaintenance(db, contract.planVersionId),
  ]);
  const { siteName, appUrl } = config;
  const operator = company.name || null;
  const pdf = await writeContractPdf(contract, announced, { siteName, appUrl, operator, customer });
  return new Response(new Uint8Array(pdf), {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="contract-${contract.contractId}.pdf"`,
      "cache-control": "private, no-store",
    },
  });
}
