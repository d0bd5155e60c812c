import { data } from "react-router";
import { unlessRefused } from "#app/run-act.ts";
import { calendarYear, readPeriod, readTaxYearStart } from "#core/payments/statement-period.ts";
import { utcDay } from "#core/utc-day.ts";
import { type App, appContext } from "#server/app-context.ts";
import { getCompany } from "#server/content/get-company.ts";
import type { Customer } from "#server/identity/account/customer.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { issueStatement } from "#server/statements/issue-statement.ts";
import { openStatement } from "#server/statements/read-statement.ts";
import { writeCsv } from "#server/statements/write-csv.ts";
import { writeJson } from "#server/statements/write-json.ts";
import { writeStatementPdf } from "#server/statements/write-statement-pdf.ts";
import type { Route } from "./+types/statement-file";
import { countFile, streamed } from "./file-answer.ts";
import { kindInWords } from "./ledger-words.ts";

type Period = NonNullable<ReturnType<typeof readPeriod>>;

/**
 * A statement of a month, a year or a tax year, or else of this year, as a file: `statement.pdf`, `.csv` or `.json`. 410 where it
 * begins with months that were taken out of the ledger.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const customer = context.get(customerContext);
  const write = Object.hasOwn(writers, params.statementFile)
    ? writers[params.statementFile]
    : undefined;
  const today = utcDay(app.now());
  const period = chosenPeriod(new URL(request.url).searchParams, today);
  if (!write || !period || period.fromDay > today) {
    throw data(null, { status: 404, statusText: "Not Found" });
  }
  await countFile(app, customer.id);
  const { type, body } = await unlessRefused(
    () => write(app, customer, period),
    () => {
      throw data({ statementTakenOut: true }, { status: 410, statusText: "Gone" });
    },
  );
  const name = `statement-${period.fromDay}-to-${period.throughDay}.${params.statementFile.split(".")[1]}`;
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "private, no-store",
    },
  });
}

function chosenPeriod(params: URLSearchParams, today: string): Period | null {
  const [month, day] = [params.get("startMonth"), params.get("startDay")];
  const start = month || day ? readTaxYearStart(month ?? "", day ?? "") : calendarYear;
  return start ? readPeriod(params.get("period") ?? `year:${today.slice(0, 4)}`, start) : null;
}

type Writer = (
  app: App,
  customer: Customer,
  period: Period,
) => Promise<{ type: string; body: BodyInit }>;

const writers: Record<string, Writer> = {
  "statement.csv": async ({ db }, { id }, period) => ({
    type: "text/csv; charset=utf-8",
    body: streamed(writeCsv(await openStatement(db, id, period))),
  }),
  "statement.json": async ({ db, config, now }, { id: customerId }, period) => {
    const about = { siteName: config.siteName, customerId, period, madeAt: now() };
    const body = streamed(writeJson(await openStatement(db, customerId, period), about));
    return { type: "application/json; charset=utf-8", body };
  },
  "statement.pdf": async ({ db, config, now }, customer, period) => {
    const [company, statement] = await Promise.all([
      getCompany(db),
      issueStatement(db, { customerId: customer.id, period, now: now() }),
    ]);
    const { siteName, appUrl } = config;
    const parties = { siteName, appUrl, operator: company.name || null, customer };
    const pdf = await writeStatementPdf(statement, { ...parties, kindWords: kindInWords });
    return { type: "application/pdf", body: new Uint8Array(pdf) };
  },
};
