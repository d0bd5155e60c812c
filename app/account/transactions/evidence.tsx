import { data, Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Term } from "#app/ui/figures/term.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { TableFrame } from "#app/ui/tables/data-table.tsx";
import columns from "#app/ui/tables/phone-columns.module.css";
import { Table } from "#app/ui/tables/table.tsx";
import { formatDay } from "#core/utc-day.ts";
import { findOwnAdjustment } from "#server/adjustments/find-own-adjustment.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findSeal, type SealOfTransfer } from "#server/ledger/find-seal.ts";
import { findTransfer } from "#server/ledger/find-transfer.ts";
import type { Db } from "#server/platform/database.ts";
import { findCoveringDay } from "#server/proof/list-days.ts";
import { withMarks } from "#server/withdrawals/bitcoin/with-marks.ts";
import type { Route } from "./+types/evidence.ts";
import { AdjustmentPanel } from "./adjustment-panel.tsx";
import { CheckTransfer } from "./check-transfer.tsx";
import styles from "./evidence.module.css";
import { accountInWords, kindInWords } from "./ledger-words.ts";

export const meta = titled("Transfer in the ledger");

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const customer = context.get(customerContext);
  const transfer = await findTransfer(db, customer.id, params.transferId);
  if (!transfer) throw data(null, { status: 404, statusText: "Not Found" });
  const { transferId, source } = transfer;
  const isAdjustment = source.startsWith("adjustment:");
  const seal = await findSeal(db, customer.id, transferId);
  return {
    transfer,
    seal,
    covering: seal && (await findCovering(db, seal.number)),
    adjustment: isAdjustment ? await findOwnAdjustment(db, customer.id, transferId) : null,
  };
}

/** The first published day that includes a seal, with the transaction that carries its hash. */
async function findCovering(db: Db, sealNumber: string) {
  const day = await findCoveringDay(db, sealNumber);
  const [covering] = day ? await withMarks(db, [day]) : [];
  return covering ?? null;
}

/** The evidence behind a figure: one transfer with both of its sides, as PostgreSQL holds it. */
export default function Evidence({ loaderData }: Route.ComponentProps) {
  const { transfer, seal, covering, adjustment } = loaderData;
  return (
    <>
      <PageHeader
        title={kindInWords[transfer.kind]}
        description="One transfer in the ledger. It cannot be changed or deleted; a mistake is corrected by a second transfer."
      />
      <Panel title="What happened">
        <Facts
          facts={[
            { label: "Happened", value: <When at={transfer.occurredAt.toISOString()} beside /> },
            {
              label: "Counts for",
              value: <>{formatDay(transfer.day)} (UTC day)</>,
            },
            { label: "Written", value: <When at={transfer.createdAt.toISOString()} beside /> },
            { label: "Because of", value: <Source source={transfer.source} /> },
            transfer.memo !== "" && !adjustment && { label: "Memo", value: transfer.memo },
            transfer.reverses !== null && {
              label: "Corrects",
              value: <Link to={`/account/evidence/${transfer.reverses}`}>an earlier transfer</Link>,
            },
            { label: "Number", value: <code>{transfer.transferId}</code> },
            { label: "Your account", value: <code>{transfer.ownerId}</code> },
          ]}
        />
      </Panel>
      {adjustment ? <AdjustmentPanel adjustment={adjustment} /> : null}
      <Panel title="Both sides" flush>
        <TableFrame label="Entries of the transfer" bare>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Account</Table.Th>
              <Table.Th ta="right" className={columns.narrow}>
                Amount
              </Table.Th>
              <Table.Th ta="right" className={columns.wide}>
                Debit
              </Table.Th>
              <Table.Th ta="right" className={columns.wide}>
                Credit
              </Table.Th>
              <Table.Th ta="right" className={columns.wide}>
                Balance after
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {transfer.entries.map((entry) => (
              <Side key={entry.account + entry.asset} {...entry} />
            ))}
          </Table.Tbody>
        </TableFrame>
      </Panel>
      <Panel title={<Term of="seal" />}>
        <SealFacts seal={seal} covering={covering} />
        {covering ? <CheckTransfer transfer={transfer} covering={covering} /> : null}
      </Panel>
    </>
  );
}

type Entry = NonNullable<Awaited<ReturnType<typeof findTransfer>>>["entries"][number];

/** One leg. A phone has room for two columns: side and balance are words next to the amount. */
function Side({ account, asset, units, balanceAfter }: Entry) {
  const amount = <Amount units={units < 0n ? -units : units} asset={asset} />;
  const balance = balanceAfter === null ? null : <Amount units={balanceAfter} asset={asset} />;
  return (
    <Table.Tr>
      <Table.Td>{accountInWords[account]}</Table.Td>
      <Table.Td ta="right" className={columns.narrow}>
        <div className={layout.quiet}>{units < 0n ? "Debit" : "Credit"}</div>
        {amount}
        {balance === null ? null : (
          <>
            <div className={layout.quiet}>Balance after</div>
            {balance}
          </>
        )}
      </Table.Td>
      <Table.Td ta="right" className={columns.wide}>
        {units < 0n ? amount : null}
      </Table.Td>
      <Table.Td ta="right" className={columns.wide}>
        {units > 0n ? amount : null}
      </Table.Td>
      <Table.Td ta="right" className={columns.wide}>
        {balance}
      </Table.Td>
    </Table.Tr>
  );
}

interface SealFactsProps {
  seal: SealOfTransfer | null;
  covering: Awaited<ReturnType<typeof findCovering>>;
}

function SealFacts({ seal, covering }: SealFactsProps) {
  if (!seal) return "Not sealed yet. Every minute we seal the ledger's new transfers.";
  return (
    <>
      <p className={styles.note}>
        A fingerprint of this transfer and of everything sealed before it. Keep its hash: if anyone
        changes one of them, the same number shows another hash.
      </p>
      <Facts
        facts={[
          { label: "Number", value: seal.number },
          { label: "Sealed", value: <When at={seal.sealedAt.toISOString()} /> },
          { label: "SHA-256", value: <code className={styles.hash}>{seal.hash}</code> },
          {
            label: "Daily proof",
            value: covering ? (
              <>
                Included in the <Link to="/proof">published hash of {formatDay(covering.day)}</Link>
                : <code className={styles.hash}>{covering.digest}</code>
              </>
            ) : (
              "Shortly after midnight UTC the published hash of the day includes it."
            ),
          },
          covering && {
            label: "In Bitcoin",
            value: covering.mark ? (
              <>
                Block {covering.mark.height.toLocaleString("en-US")}, transaction{" "}
                <code className={styles.hash}>{covering.mark.txid}</code>
                {covering.mark.day === covering.day
                  ? " carries that hash."
                  : ` carries the hash of ${formatDay(covering.mark.day)}, which includes it.`}
              </>
            ) : (
              "Not yet. A next batch that pays customers in Bitcoin carries a hash that includes it."
            ),
          },
        ]}
      />
    </>
  );
}

/** A link to the document that caused the transfer, where there is a page for it. */
function Source({ source }: { source: string }) {
  const depositId = /^deposit:(.+)$/.exec(source)?.[1];
  if (depositId) return <Link to={`/account/deposit/${depositId}`}>the deposit</Link>;
  if (source.startsWith("adjustment:")) return "two members of our staff decided so";
  if (source.startsWith("closing:")) return "you decided so when you left";
  const contractId = /^contract:(.+)$/.exec(source)?.[1];
  if (contractId) return <Link to={`/account/mining/${contractId}`}>the contract</Link>;
  return source;
}
