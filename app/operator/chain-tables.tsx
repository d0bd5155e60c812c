import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import phone from "#app/ui/phone-columns.module.css";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import type { Needed } from "#server/chain/payment.ts";
import type { listReorgs, listTroubles } from "#server/chain/queries.ts";
import type {
  listReversals,
  PaymentForStaff,
  PaymentRulingRow,
  RefusedPayments,
} from "#server/deposits/queries.ts";
import styles from "./console-list.module.css";
import { confirmationsOf, PaymentState } from "./payment-state.tsx";
import { refusalWords, rulingWords } from "./payment-words.ts";
import { ShortTxid } from "./short-txid.tsx";
import { conditionWords } from "./source-condition-words.ts";

type Payment = PaymentForStaff & { needed: Needed; isConfirmed: boolean };
type Refused = RefusedPayments & { isAsked: boolean };

const chainNames = { bitcoin: "Bitcoin", ethereum: "Ethereum" };

export function PaymentTable({ payments }: { payments: Payment[] }) {
  if (payments.length === 0) {
    return <p className={styles.empty}>Nothing has arrived at a customer's own address yet.</p>;
  }
  return (
    <DataTable label="Payments seen" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Customer</Table.Th>
          <Table.Th className={styles.number}>Quantity</Table.Th>
          <Table.Th className={phone.wide}>State</Table.Th>
          <Table.Th className={`${styles.number} ${phone.wide}`}>Confirmations</Table.Th>
          <Table.Th className={phone.wide}>First seen</Table.Th>
          <Table.Th>Transaction</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {payments.map((payment) => (
          <Table.Tr key={payment.id}>
            <Table.Td>
              <Link to={`/operator/customers/${payment.customerId}`} className={styles.link}>
                {payment.customerFirstName} {payment.customerLastName}
              </Link>
              <div className={phone.narrow}>
                <StateLink payment={payment} />
              </div>
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={payment.units} asset={payment.asset} />
            </Table.Td>
            <Table.Td className={phone.wide}>
              <StateLink payment={payment} />
            </Table.Td>
            <Table.Td className={`${styles.number} ${phone.wide}`}>
              {confirmationsOf(payment) ?? "–"}
            </Table.Td>
            <Table.Td className={phone.wide}>
              <When at={payment.seenAt} />
            </Table.Td>
            <Table.Td>
              <Link to={`/operator/chain/payments/${payment.id}`} className={styles.link}>
                <ShortTxid
                  txid={payment.txid}
                  output={payment.chain === "bitcoin" ? payment.outputIndex : null}
                />
              </Link>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

/** To the deposit that it became, or else to the payment. */
function StateLink({ payment }: { payment: Payment }) {
  const { id, state, settledAt, depositId } = payment;
  const isDeposit = state === "mined" && settledAt !== null && depositId !== null;
  const to = isDeposit ? `/operator/deposits/${depositId}` : `/operator/chain/payments/${id}`;
  return (
    <Link to={to} className={styles.plain}>
      <PaymentState payment={payment} />
    </Link>
  );
}

/** Payments that cannot be credited, one line for each address and reason. */
export function RefusedTable({ refused }: { refused: Refused[] }) {
  return (
    <DataTable label="Payments that cannot be credited, oldest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Customer</Table.Th>
          <Table.Th className={`${styles.number} ${phone.wide}`}>Payments</Table.Th>
          <Table.Th className={styles.number}>Quantity</Table.Th>
          <Table.Th className={phone.wide}>Why</Table.Th>
          <Table.Th className={phone.wide}>Since</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {refused.map((each) => (
          <Table.Tr key={each.paymentId}>
            <Table.Td>
              <Link to={`/operator/chain/payments/${each.paymentId}`} className={styles.link}>
                {each.customerFirstName} {each.customerLastName}
              </Link>
              <div className={phone.narrow}>
                <WhyRefused refused={each} />
              </div>
            </Table.Td>
            <Table.Td className={`${styles.number} ${phone.wide}`}>{each.payments}</Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={each.units ?? 0n} asset={each.asset} />
              <div className={`${styles.second} ${phone.narrow}`}>
                {each.payments === 1 ? "1 payment" : `${each.payments} payments`}
              </div>
            </Table.Td>
            <Table.Td className={`${styles.what} ${phone.wide}`}>
              <WhyRefused refused={each} />
            </Table.Td>
            <Table.Td className={phone.wide}>
              {each.oldestAt ? <When at={each.oldestAt} /> : null}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function WhyRefused({ refused: { refusal, isAsked } }: { refused: Refused }) {
  return (
    <>
      {refusalWords(refusal ?? "")}
      {isAsked ? (
        <div>
          <StatusBadge status="Waits for a colleague" tone="waiting" />
        </div>
      ) : null}
    </>
  );
}

/** What was said of payments and waits for a colleague. */
export function OpenRulingTable({ rulings }: { rulings: PaymentRulingRow[] }) {
  return (
    <DataTable label="Proposals about payments and deposits, oldest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Proposed</Table.Th>
          <Table.Th className={`${styles.number} ${phone.wide}`}>Payments</Table.Th>
          <Table.Th className={styles.number}>Quantity</Table.Th>
          <Table.Th className={phone.wide}>By</Table.Th>
          <Table.Th className={phone.wide}>When</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rulings.map(({ id, paymentId, depositId, says, payments, units, asset, ...rest }) => (
          <Table.Tr key={id}>
            <Table.Td className={styles.what}>
              <Link
                to={
                  depositId
                    ? `/operator/deposits/${depositId}`
                    : `/operator/chain/payments/${paymentId}`
                }
                className={styles.link}
              >
                {rulingWords[says]}
              </Link>
              <div className={`${styles.second} ${phone.narrow}`}>
                {rest.proposerName}, <When at={rest.proposedAt} />
              </div>
            </Table.Td>
            <Table.Td className={`${styles.number} ${phone.wide}`}>
              {depositId ? "–" : payments}
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={units ?? 0n} asset={asset} />
              {depositId ? null : (
                <div className={`${styles.second} ${phone.narrow}`}>
                  {payments === 1 ? "1 payment" : `${payments} payments`}
                </div>
              )}
            </Table.Td>
            <Table.Td className={phone.wide}>{rest.proposerName}</Table.Td>
            <Table.Td className={phone.wide}>
              <When at={rest.proposedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

type Reversal = Awaited<ReturnType<typeof listReversals>>[number];

export function ReversalTable({ reversals }: { reversals: Reversal[] }) {
  return (
    <DataTable label="Reversals, newest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Customer</Table.Th>
          <Table.Th className={styles.number}>Credited</Table.Th>
          <Table.Th className={styles.number}>Put aside</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Since</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {reversals.map(({ depositId, quantityUnits, heldUnits, asset, state, ...deposit }) => (
          <Table.Tr key={depositId}>
            <Table.Td>
              <Link to={`/operator/deposits/${depositId}`} className={styles.link}>
                {deposit.customerFirstName} {deposit.customerLastName}
              </Link>
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={quantityUnits ?? 0n} asset={asset} />
            </Table.Td>
            <Table.Td className={styles.number}>
              {heldUnits > 0n ? <Amount units={heldUnits} asset={asset} /> : "–"}
            </Table.Td>
            <Table.Td>
              {state === "orphaned" ? (
                <StatusBadge status="Coins were used" tone="bad" />
              ) : (
                <StatusBadge status="Taken back" tone="plain" />
              )}
            </Table.Td>
            <Table.Td>{deposit.orphanedAt ? <When at={deposit.orphanedAt} /> : null}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

export function ReorgTable({ reorgs }: { reorgs: Awaited<ReturnType<typeof listReorgs>> }) {
  if (reorgs.length === 0) return <p className={styles.empty}>No chain reorganisation so far.</p>;
  return (
    <DataTable label="Branches, newest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Chain</Table.Th>
          <Table.Th>Found</Table.Th>
          <Table.Th className={styles.number}>Last common block</Table.Th>
          <Table.Th className={styles.number}>Blocks left</Table.Th>
          <Table.Th className={styles.number}>Payments in them</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {reorgs.map(({ id, chain, foundAt, forkHeight, oldHeight, payments }) => (
          <Table.Tr key={id}>
            <Table.Td>{chainNames[chain]}</Table.Td>
            <Table.Td>
              <When at={foundAt} />
            </Table.Td>
            <Table.Td className={styles.number}>{forkHeight}</Table.Td>
            <Table.Td className={styles.number}>{oldHeight - forkHeight}</Table.Td>
            <Table.Td className={styles.number}>{payments}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

export function TroubleTable({ troubles }: { troubles: Awaited<ReturnType<typeof listTroubles>> }) {
  if (troubles.length === 0) {
    return <p className={styles.empty}>The nodes answered every time.</p>;
  }
  return (
    <DataTable label="Troubles, newest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Chain</Table.Th>
          <Table.Th>What</Table.Th>
          <Table.Th>From</Table.Th>
          <Table.Th>To</Table.Th>
          <Table.Th>It said</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {troubles.map(({ id, chain, condition, detail, beganAt, endedAt }) => (
          <Table.Tr key={String(id)}>
            <Table.Td>{chainNames[chain]}</Table.Td>
            <Table.Td className={styles.what}>{conditionWords[condition]}</Table.Td>
            <Table.Td>
              <When at={beganAt} />
            </Table.Td>
            <Table.Td>{endedAt ? <When at={endedAt} /> : "still"}</Table.Td>
            <Table.Td className={styles.memo}>{detail}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
