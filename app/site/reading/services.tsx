import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import type { Coin } from "#core/asset.ts";
import { offeredHere } from "#core/offered.ts";
import { termWords } from "#core/term-words.ts";
import { appContext } from "#server/app-context.ts";
import { findNetworkFigures } from "#server/markets/find-network-figures.ts";
import { offeredTerms } from "#server/withdrawals/offered-terms.ts";
import { orElse } from "../frame/or-else.ts";
import type { Route } from "./+types/services";
import { HowMiningWorks } from "./how-mining-works.tsx";
import { LosingDay } from "./losing-day.tsx";
import styles from "./reading.module.css";
import { Figure, ReadingPage, Section } from "./reading-page.tsx";
import { Risks } from "./risks.tsx";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Services",
  description:
    "How hosted Bitcoin mining works, what it costs and how you pay each cost, what can go wrong, and what this service offers today.",
  path: "/services",
});

const w = termWords();

const contents = [
  ["today", "What is offered today"],
  ["mining", "How hosted mining works"],
  ["costs", "What it costs"],
  ["losing", "When mining loses"],
  ["risks", "What can go wrong"],
  ["not", "What this service does not do"],
  ["instead", "What you could do instead"],
] as const;

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const withdrawn = Object.keys(offeredTerms(app.config)) as Coin[];
  const network = await orElse(app, findNetworkFigures(app.db, app.now()), null);
  return { network, today: offeredHere(app.config.coins, withdrawn) };
}

export default function Services({ loaderData: { network, today } }: Route.ComponentProps) {
  return (
    <ReadingPage
      title="Services"
      lead="Hosted Bitcoin mining with its costs and its risks, and which parts of it we offer today."
      contents={contents}
    >
      <Today rows={today} />
      <HowMiningWorks network={network} />
      <Costs />
      <Losing />
      <Risks />
      <Not />
      <Instead />
    </ReadingPage>
  );
}

function Today({ rows }: { rows: ReturnType<typeof offeredHere> }) {
  return (
    <Section id="today" title="What is offered today">
      <p>
        You can open an account, deposit coins, buy hashrate for a term from{" "}
        <Link to="/plans">the plans</Link>, check every figure, and withdraw. The page Withdraw of
        your account names the minimum and the fee of each coin. Some coins cannot be withdrawn yet,
        so check before you deposit. A balance on its own earns nothing.
      </p>
      <StackedTable
        label="What is offered today"
        head={["Part of the service", "Today"]}
        rows={rows.map(({ part, today }) => [part, today])}
        className={`${styles.table} ${styles.narrow}`}
      />
    </Section>
  );
}

function Costs() {
  return (
    <Section id="costs" title="What it costs, and how each cost reaches you">
      <p>
        Every hour that a machine runs costs money. This table says how you pay each cost;{" "}
        <Link to="/plans">the plans</Link> say how much.
      </p>
      <StackedTable
        label="Costs"
        head={["Cost", "How it reaches you", "Charged today"]}
        rows={[
          ["Machines", "In the price of a contract, once, when you buy it", "Yes"],
          [
            "Electricity, premises, cooling, monitoring, repairs",
            `As one maintenance fee per TH/s per day, taken from your BTC balance daily. It changes with at least ${w.maintenanceChangeNotice}' notice`,
            "Yes",
          ],
          [
            "The pool's fee",
            "The pool keeps it before it pays: the payout that is shared is smaller",
            "Yes",
          ],
          [
            "Having no contract",
            `After ${w.inactivityAfter} with no active contract: a fixed daily fee of ${w.inactivityFee} of the BTC balance, not less than ${w.inactivityFeeMinimum} a day`,
            "Yes",
          ],
          [
            "A withdrawal",
            "We deduct one fee from the amount. You see it before you ask and in the e-mail that you confirm. You pay nothing in advance",
            "Yes",
          ],
          [
            "A deposit",
            "We charge nothing. You pay the network fee of your own payment",
            "Network fee only",
          ],
          ["Opening, keeping and closing an account", "Nothing", "Nothing"],
        ]}
        className={styles.table}
      />
    </Section>
  );
}

function Losing() {
  return (
    <Section id="losing" title="When mining loses">
      <p>
        The fee pays for power and does not fall when the price of bitcoin does. If your share of a
        day's payout is worth less than the fee, you lose the difference.
      </p>
      <Figure caption="The same fee next to two payouts. Drawn to explain, not to scale.">
        <LosingDay />
      </Figure>
      <p>
        If that goes on, the balance runs out. When it cannot cover the maintenance fee for{" "}
        {w.unpaidMaintenance}, the contract is cancelled (termination clause: {w.terminationClause}
        ), and its price may not be refunded: its plan says which. Over a whole term, a contract has
        paid off only if all its credits are worth more than its price and all its fees together. No
        one can know that beforehand.
      </p>
    </Section>
  );
}

function Not() {
  return (
    <Section id="not" title="What this service does not do">
      <ul className={styles.list}>
        <li>It does not serve US residents, or anyone younger than {w.minimumAge}.</li>
        <li>It trades no stocks, though its heading names trading.</li>
        <li>It guarantees no return, and pays no interest.</li>
        <li>It offers no leverage, and lends nothing.</li>
        <li>It does not pay for bringing customers.</li>
        <li>It never asks for a payment before you can withdraw.</li>
        <li>It gives no advice on investments, law or tax.</li>
      </ul>
    </Section>
  );
}

function Instead() {
  return (
    <Section id="instead" title="What you could do instead">
      <p>
        If you want bitcoin, you can buy it: that is simpler than mining, costs one fee, and you can
        keep it in your own wallet. Mining does better only if power is cheap, machines are good and
        difficulty rises slowly. Before you buy any contract, here or elsewhere, compare it with the
        same money in bitcoin: the <Link to="/calculator">calculator</Link> shows both.
      </p>
      <p className={styles.source}>
        The short form of all risks is the <Link to="/terms?tab=disclaimer">Disclaimer</Link>.
        Answers to single questions are in the <Link to="/faq">FAQ</Link>.
      </p>
    </Section>
  );
}
