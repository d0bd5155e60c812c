import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { formatAmount } from "#core/money.ts";
import { periodWords } from "#core/payments/statement-period.ts";
import { appContext } from "#server/app-context.ts";
import {
  type CheckedStatement,
  findStatementByCode,
} from "#server/statements/find-statement-by-code.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/verify-statement";
import styles from "./verify-statement.module.css";

const metaOf = pageMeta({
  title: "Check a statement",
  description:
    "Enter the code of a printed statement and compare its figures with the ones we issued.",
  path: "/verify-statement",
});

export function meta(page: Route.MetaArgs) {
  return [...metaOf(page), { name: "referrer", content: "no-referrer" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const code = (new URL(request.url).searchParams.get("code") ?? "").slice(0, 60);
  return { code, statement: code ? await findStatementByCode(db, code) : null };
}

/** Anyone with a printed statement can compare its figures with those we issued. */
export default function VerifyStatement({ loaderData: { code, statement } }: Route.ComponentProps) {
  const isUnknown = code !== "" && statement === null;
  return (
    <SitePage
      width="middle"
      title="Check a statement"
      lead="Every statement we issue carries a code of twenty letters and digits. Enter it and compare the paper with what we issued. No name is shown."
    >
      <Form method="get" className={styles.form} noValidate data-own-errors>
        <TextField
          label="Code"
          name="code"
          maxLength={60}
          required
          data-missing="Please enter the code"
          defaultValue={code}
          error={
            isUnknown
              ? "We issued no statement with this code. Compare it character by character: it has no 0, O, 1 or I."
              : undefined
          }
          autoFocus={isUnknown}
        />
        <Button type="submit">Check</Button>
      </Form>
      {statement ? <Issued statement={statement} /> : null}
    </SitePage>
  );
}

type Figures = CheckedStatement["coins"][number];

const figures: Array<[name: string, read: (coin: Figures) => bigint]> = [
  ["Before", ({ openingUnits }) => openingUnits],
  ["In", ({ inUnits }) => inUnits],
  ["Out", ({ outUnits }) => -outUnits],
  ["After", ({ closingUnits }) => closingUnits],
];

function Issued({ statement }: { statement: CheckedStatement }) {
  const { period, coins, entries, issuedAt, sha256 } = statement;
  return (
    <section className={styles.issued} aria-label="What was issued">
      <Notice tone="success" title="We issued this statement">
        If the figures on the paper differ, the paper was changed.
      </Notice>
      <StackedTable
        label="Balances"
        head={["Balance", ...coins.map(({ asset }) => asset)]}
        className={styles.figures}
        rows={figures.map(([name, read]) => [
          name,
          ...coins.map((coin) => withMinus(formatAmount(read(coin), coin.asset))),
        ])}
      />
      <dl className={styles.facts}>
        <Fact label="Period" value={periodWords(period)} />
        <Fact label="UTC days" value={`${period.fromDay} to ${period.throughDay}`} />
        <Fact label="Entries" value={String(entries)} />
        <Fact label="Issued" value={`${utcMinute(issuedAt)} UTC`} />
        <Fact
          label="SHA-256 of the entries"
          value={<CopyField text={sha256} label="hash of the entries" short />}
        />
      </dl>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function utcMinute(at: Date): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
