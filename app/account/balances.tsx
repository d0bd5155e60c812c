import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { Hallmark } from "#app/ui/hallmark.tsx";
import { CoinValue } from "#app/ui/market/coin-value.tsx";
import { useLivePrices } from "#app/ui/market/use-live-prices.ts";
import { Panel } from "#app/ui/panel.tsx";
import { Table } from "#app/ui/table.tsx";
import { useCoins } from "#app/ui/use-coins.ts";
import { type Coin, shownCoins } from "#core/asset.ts";
import type { Earnings } from "#core/earnings.ts";
import type { PriceMessage } from "#core/price.ts";
import styles from "./balances.module.css";

interface BalancesProps {
  balances: Record<Coin, { available: bigint; held: bigint }>;
  earnings: Earnings[];
  prices: PriceMessage[];
}

/**
 * What can be used now and what is reserved, coin by coin, and what both are worth at a fresh price, above the
 * honest line.
 */
export function Balances({ balances, earnings, prices: sent }: BalancesProps) {
  const prices = useLivePrices(sent);
  const coins = shownCoins(useCoins(), balances);
  return (
    <Panel title="Balances" flush>
      <DataTable label="Balances per coin" bare>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Coin</Table.Th>
            <Table.Th ta="right" className={styles.available}>
              Available
            </Table.Th>
            <Table.Th ta="right" className={styles.beside}>
              Held
            </Table.Th>
            <Table.Th ta="right" className={styles.beside}>
              Worth in USD
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {coins.map((coin) => (
            <Table.Tr key={coin}>
              <Table.Th scope="row">{names[coin]}</Table.Th>
              <Table.Td ta="right" className={styles.available}>
                <Amount units={balances[coin].available} asset={coin} />
                <Hallmark
                  to={`/account/transactions`}
                  label={`The entries behind your ${names[coin]} balance`}
                />
                {balances[coin].held > 0n ? (
                  <span className={styles.below}>
                    held <Amount units={balances[coin].held} asset={coin} plain />
                  </span>
                ) : null}
                <span className={styles.below}>
                  <Worth coin={coin} balance={balances[coin]} prices={prices} />
                </span>
              </Table.Td>
              <Table.Td ta="right" className={styles.beside}>
                <Amount units={balances[coin].held} asset={coin} />
              </Table.Td>
              <Table.Td ta="right" className={styles.beside}>
                <Worth coin={coin} balance={balances[coin]} prices={prices} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
      {earnings.map((line) => (
        <HonestLine key={line.asset} {...line} />
      ))}
    </Panel>
  );
}

interface WorthProps {
  coin: Coin;
  balance: { available: bigint; held: bigint };
  prices: PriceMessage[];
}

/** What is reserved belongs to the customer as well. */
function Worth({ coin, balance, prices }: WorthProps) {
  const price = prices.find(({ asset }) => asset === coin);
  return (
    <CoinValue units={balance.available + balance.held} coin={coin} price={price} prices={prices} />
  );
}

const names: Record<Coin, string> = { BTC: "Bitcoin", ETH: "Ether", USDT: "USDT" };

/** Mined - fees - paid for contracts = net: a loss as plainly as a gain. */
function HonestLine({ asset, mined, fees, contracts, net }: Earnings) {
  return (
    <dl className={styles.line}>
      <Term label="Mined" units={mined} asset={asset} />
      <Term sign="−" label="Fees" units={fees} asset={asset} />
      <Term sign="−" label="Paid for contracts" units={contracts} asset={asset} />
      <Term sign="=" label={net < 0n ? "Net loss" : "Net"} units={net} asset={asset} />
    </dl>
  );
}

interface TermProps {
  sign?: string;
  label: string;
  units: bigint;
  asset: Coin;
}

function Term({ sign, label, units, asset }: TermProps) {
  return (
    <div className={styles.term}>
      <dt>{label}</dt>
      <dd>
        {sign ? <span className={styles.sign}>{sign}</span> : null}
        <Amount units={units} asset={asset} />
      </dd>
    </div>
  );
}
