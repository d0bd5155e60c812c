import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { TableFrame } from "#app/ui/tables/data-table.tsx";
import { Table } from "#app/ui/tables/table.tsx";
import { isOffered } from "#core/offered.ts";
import {
  type KycTier,
  kycTiers,
  limitInWords,
  tierLimits,
  tierNames,
} from "#core/people/kyc-tiers.ts";
import styles from "./kyc.module.css";

const columns = [
  ["Deposits", "depositUsdCents"],
  ["Contracts running at once", "contractsUsdCents"],
  ["Withdrawals in 30 days", "withdrawalsUsdCents"],
] as const;

/** What each level allows: to be read before a document is asked for. */
export function Tiers({ level }: { level: KycTier }) {
  return (
    <Panel title="What each level allows" flush>
      <div className={styles.levels}>
        <TableFrame label="What each level of verification allows" bare>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Level</Table.Th>
              {columns.map(([name]) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {kycTiers.map((each) => (
              <Table.Tr key={each}>
                <Table.Td>
                  <div className={styles.level}>
                    {tierNames[each].name}
                    {each === level ? <StatusBadge status="yours" tone="good" /> : null}
                  </div>
                  <div className={layout.quiet}>{tierNames[each].by}</div>
                </Table.Td>
                {columns.map(([name, limit]) => (
                  <Table.Td key={name} data-column={name}>
                    {limitInWords(tierLimits[each][limit])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </TableFrame>
      </div>
      <p className={layout.nothing}>{today()}</p>
    </Panel>
  );
}

/** What of it exists already, from the list that the terms read too. */
function today(): string {
  const missing = [
    !isOffered("Mining contracts, plans and a calculator") && "contracts",
    !isOffered("Withdrawals of Bitcoin") && "withdrawals",
  ].filter((part) => part !== false);
  const closing = "The final payment when you close your account is free of these limits.";
  if (missing.length === 0) return closing;
  const [first = ""] = missing;
  const what = [first.charAt(0).toUpperCase() + first.slice(1), ...missing.slice(1)].join(" and ");
  return `${what} are not offered yet; these limits apply from the day they are. Verification itself costs nothing. ${closing}`;
}
