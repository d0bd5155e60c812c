import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { TotalAmounts } from "#app/ui/figures/total-amounts.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { type Coin, coins } from "#core/asset.ts";
import { type SalesStop, salesStopWords } from "#core/mining/sales-stop.ts";
import { formatDay } from "#core/utc-day.ts";
import type { PublishedDay } from "#server/proof/list-days.ts";
import type { There } from "#server/reconciliation/list-there.ts";
import type { Reserve } from "#server/reconciliation/reserves/list-reserves.ts";
import styles from "./proof.module.css";
import { TreePicture } from "./tree-picture.tsx";

interface OwedThereProps {
  /** The newest day that has a tree; null: there is none yet. */
  owed: PublishedDay | null;
  there: There[];
  signed: Reserve[];
  stop: SalesStop | null;
}

/** What we owe to all customers together, and what is there: how old each figure is, and who says it. */
export function OwedThere({ owed, there, signed, stop }: OwedThereProps) {
  if (!owed) return null;
  const units: Record<Coin, bigint> = {
    BTC: BigInt(owed.owedBtc ?? 0),
    ETH: BigInt(owed.owedEth ?? 0),
    USDT: BigInt(owed.owedUsdt ?? 0),
  };
  const shown = coins.filter(
    (coin) => units[coin] > 0n || there.some(({ asset }) => asset === coin),
  );
  return (
    <section className={styles.section} aria-labelledby="owed">
      <h2 id="owed">What we owe, and what is there</h2>
      <p className={styles.note}>
        At {formatUtc(owed.publishedAt)} we added up what customers have with us: what they can use,
        what is held for withdrawals, what they paid for mining that is not delivered yet, and the
        few smallest units that rounding keeps. The hash of {formatDay(owed.day)}, which was made
        then, includes these sums.{" "}
        {stop ? `Sales are paused: ${salesStopWords[stop]}` : "Sales are open."}
      </p>
      {shown.map((coin) => (
        <CoinFacts
          key={coin}
          coin={coin}
          owed={units[coin]}
          there={there.filter(({ asset }) => asset === coin)}
          signed={signed.reduce((sum, { holds }) => sum + (holds?.[coin] ?? 0n), 0n)}
        />
      ))}
      <Signed signed={signed} />
      <h3>How a customer checks that</h3>
      <div className={styles.pictured}>
        <TreePicture />
        <div>
          <p>
            Every customer's amounts are one entry. Two entries are added to a sum, two sums to a
            larger one, up to the sum of all, which we publish. You are shown the way from your
            entry to the top, and your browser adds it up again. Each sum is tied to what is below
            it by a hash, a fingerprint that changes with every digit: if we left your entry out or
            made it smaller, we could not show you a way to the published hash that adds up. You see
            the sums of others, but no names; they may see yours in the same way.
          </p>
          <p>
            <ButtonLink to="/account/proof" look="outline">
              Check my entry
            </ButtonLink>
          </p>
        </div>
      </div>
      <h3>What this does not say</h3>
      <ul className={styles.points}>
        <li>
          No auditor has confirmed it. Counts are the word of two people, readings that of our node.
        </li>
        <li>
          A count may be days old, and so is what it says. Our records show coins of our own as well
          as those of customers.
        </li>
        <li>Coins can be borrowed for the hour in which they are counted.</li>
        <li>Debts in money, to suppliers or banks, are not in it.</li>
        <li>
          A customer who is left out can see it, and others cannot. So it is worth as much as
          customers look. If yours is wrong, save the page and its file, write to us, and tell
          others.
        </li>
      </ul>
      <p className={styles.note}>
        We would sell nothing while less was counted than our records show; on the main network also
        once this proof is more than 72 hours old, or while a coin that we owe was never counted.
        Withdrawals go on.
      </p>
    </section>
  );
}

interface CoinFactsProps {
  coin: Coin;
  owed: bigint;
  there: There[];
  signed: bigint;
}

function CoinFacts({ coin, owed, there, signed }: CoinFactsProps) {
  return (
    <>
      <h3>{names[coin]}</h3>
      <Facts
        facts={[
          { label: "Owed to customers", value: <Amount units={owed} asset={coin} /> },
          ...there.map(({ units, custodyUnits, asOf, blockHeight, source }) => ({
            label: sources[source],
            value: (
              <>
                <Amount units={units} asset={coin} />{" "}
                {source === "node" ? null : <Verdict units={units} recorded={custodyUnits} />}{" "}
                <span className={styles.quiet}>
                  {formatUtc(asOf)}
                  {blockHeight === null ? "" : `, block ${blockHeight.toLocaleString("en-US")}`},{" "}
                  {source === "node" ? (
                    "in the wallets whose keys it was given; others may hold more"
                  ) : (
                    <Compared units={units} recorded={custodyUnits} coin={coin} />
                  )}
                </span>
              </>
            ),
          })),
          there.length === 0 && { label: "There", value: "never counted: we cannot show it" },
          signed > 0n && {
            label: "Signed with the key",
            value: (
              <>
                <Amount units={signed} asset={coin} />{" "}
                <span className={styles.quiet}>
                  keys signed for us, as anyone can check: <a href="#signed">the signatures</a>
                </span>
              </>
            ),
          },
        ]}
      />
    </>
  );
}

/** Coins whose key signed a proof: of these anyone sees that they are ours, or of somebody who signs for us. */
function Signed({ signed }: { signed: Reserve[] }) {
  if (signed.length === 0) return null;
  return (
    <>
      <h3 id="signed">Signed with the key of the coins</h3>
      <p className={styles.note}>
        These addresses signed a day's proof with their key. A program that knows BIP 322 checks a
        signature of Bitcoin (an older one without its first three letters), and a wallet that
        verifies messages one of Ethereum (EIP 191); any explorer shows what is at the address.
      </p>
      <div className={styles.apart}>
        {signed.map(({ id, address, message, signature, blockHeight, seenAt, holds }) => (
          <Facts
            key={id}
            facts={[
              {
                label: "Coins",
                value: (
                  <>
                    <TotalAmounts totals={holds ?? {}} />
                    <span className={styles.quiet}>
                      found by our node at block {(blockHeight ?? 0).toLocaleString("en-US")}
                      {seenAt ? `, still there at ${formatUtc(seenAt)}` : ""}
                    </span>
                  </>
                ),
              },
              { label: "Address", value: <CopyField text={address} label="address that signed" /> },
              { label: "Message", value: <CopyField text={message} label="message" /> },
              { label: "Signature", value: <CopyField text={signature} label="signature" short /> },
            ]}
          />
        ))}
      </div>
    </>
  );
}

function Verdict({ units, recorded }: { units: bigint; recorded: bigint }) {
  return units < recorded ? (
    <StatusBadge status="Missing" tone="bad" />
  ) : (
    <StatusBadge status="All there" tone="good" />
  );
}

/** With what our records said of that very moment: of another one it would say nothing. */
function Compared({ units, recorded, coin }: { units: bigint; recorded: bigint; coin: Coin }) {
  if (units === recorded) return "our records said the same then";
  return (
    <>
      <Amount units={units > recorded ? units - recorded : recorded - units} asset={coin} />{" "}
      {units > recorded ? "more" : "less"} than our records said then
    </>
  );
}

const names: Record<Coin, string> = { BTC: "Bitcoin", ETH: "Ether", USDT: "USDT" };
const sources: Record<There["source"], string> = {
  count: "Counted by two people",
  watcher: "Read from the chain",
  node: "Seen by our Bitcoin node",
};
