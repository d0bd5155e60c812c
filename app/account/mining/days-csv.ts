import { data } from "react-router";
import { toDecimal } from "#core/money.ts";
import { appContext } from "#server/app-context.ts";
import { findContract } from "#server/contracts/find-contract.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { listContractDays } from "#server/mining/receipts/list-contract-days.ts";
import { toCsv } from "#server/platform/to-csv.ts";
import { countFile } from "../transactions/file-answer.ts";
import type { Route } from "./+types/days-csv";
import { dueSats } from "./contract-words.ts";

/** More days than the longest term and all of its downtime. */
const most = 10_000;

const columns = [
  "utc_day",
  "hashrate_ghs",
  "credited_btc",
  "corrected_btc",
  "maintenance_btc",
  "maintenance_state",
  "net_btc",
  "reference_btc",
  "served_parts_per_million",
];

/** Every day of a contract, newest first, for a spreadsheet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { db } = app;
  const { id } = context.get(customerContext);
  const contract = await findContract(db, id, params.contractId);
  if (!contract) throw data(null, { status: 404, statusText: "Not Found" });
  await countFile(app, id);
  const days = await listContractDays(db, contract.contractId, { limit: most });
  const btc = (sats: bigint) => toDecimal(sats, "BTC");
  const rows = days.map((day) => [
    day.day,
    `${day.ghs}`,
    btc(day.creditSats),
    btc(day.correctedSats),
    btc(day.feeSats),
    day.feeState,
    btc(day.creditSats + day.correctedSats - dueSats(day)),
    day.referenceSats === null ? "" : btc(day.referenceSats),
    `${day.servedPpm}`,
  ]);
  return new Response(toCsv(columns, rows), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="contract-${contract.contractId.slice(-12)}-days.csv"`,
      "cache-control": "private, no-store",
    },
  });
}
