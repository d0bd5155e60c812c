import { Amount } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { CoinValue } from "#app/ui/market/coin-value.tsx";
import { useLivePrices } from "#app/ui/market/use-live-prices.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { type Coin, shownCoins } from "#core/asset.ts";
import type { Earnings } from "#core/markets/earnings.ts";
import type { PriceMessage } from "#core/price.ts";
import styles from "./balances.module.css";
import { ProofLine } from "./proof-line.tsx";

interface BalancesProps {
  /** Null: somebody else looks on. */
  customerId: string | null;
  balances: Record<Coin, { available: bigint; held: bigint }>;
  earnings: Earnings[];
  prices: PriceMessage[];
}

/**
 * What can be used now and what is reserved, coin by coin, and what both are worth at a fresh price, above the
 * honest line.
 */
export function Balances({ customerId, balances, earnings, prices: sent }: BalancesProps) {
  const prices = useLivePrices(sent);
  const coins = shownCoins(useCoins(), balances);
  return (
    <div id="balances" className={styles.balances}>
      <Panel title="Balances" flush>
        <DataTable
          label="Balances per coin"
          bare
          rows={coins}
          rowKey={(coin) => coin}
          columns={[
            { head: "Coin", names: true, cell: (coin) => names[coin] },
            {
              head: "Available",
              align: "right",
              cell: (coin) => (
                <>
                  <Amount units={balances[coin].available} asset={coin} />
                  <Hallmark
                    to="/account/transactions"
                    label={`The entries behind your ${names[coin]} balance`}
                  />
                </>
              ),
            },
            {
              head: "Held",
              align: "right",
              cellClass: (coin) => (balances[coin].held > 0n ? styles.held : styles.none),
              cell: (coin) => <Amount units={balances[coin].held} asset={coin} />,
            },
            {
              head: "Worth in USD",
              align: "right",
              cell: (coin) => <Worth coin={coin} balance={balances[coin]} prices={prices} />,
            },
          ]}
        />
        {customerId === null ? null : <ProofLine customerId={customerId} />}
        {earnings.filter(hasMoved).map((line) => (
          <HonestLine key={line.asset} {...line} />
        ))}
      </Panel>
    </div>
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

/** Of an account that has not begun to mine there is nothing to add up. */
function hasMoved({ mined, fees, contracts }: Earnings): boolean {
  return mined !== 0n || fees !== 0n || contracts !== 0n;
}

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
