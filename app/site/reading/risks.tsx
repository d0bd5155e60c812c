import { termWords } from "#core/term-words.ts";
import styles from "./reading.module.css";
import { Section } from "./reading-page.tsx";

const w = termWords();

const risks: { title: string; what: string; who: string }[] = [
  {
    title: "The price falls",
    what: "Credits come in bitcoin, power is paid in money. At a lower price the same day can be worth less than it cost.",
    who: "You bear it.",
  },
  {
    title: "The difficulty rises",
    what: "More machines in the world mean fewer bitcoin for each. Nobody knows how fast it rises.",
    who: "You bear it.",
  },
  {
    title: "The subsidy halves",
    what: "Every 210,000 blocks, about every four years, a block pays half as many new bitcoin.",
    who: "You bear it. The height is known beforehand.",
  },
  {
    title: "Power gets dearer",
    what: `The maintenance fee can rise, with at least ${w.maintenanceChangeNotice}' notice.`,
    who: "You bear it, or let the contract end.",
  },
  {
    title: "Machines stand still",
    what: "Outages, heat, repairs, a site that loses its lease. Less is delivered than was sold.",
    who: "The missing hashrate is added to a contract's end. By then a day may pay less.",
  },
  {
    title: "The pool fails",
    what: "It pays late, less, or never. Where nothing is paid, nothing is credited.",
    who: "You bear it, as the operator does.",
  },
  {
    title: "The contract is cancelled",
    what: `When the balance cannot cover the maintenance fee for ${w.unpaidMaintenance} (termination clause: ${w.terminationClause}), the contract ends. Whether the price of days not served is paid back is stated in its plan.`,
    who: "You bear it. A clock shows what is left; paying in stops it.",
  },
  {
    title: "The operator goes bankrupt",
    what:
      "Customers may then be creditors like others. There is no deposit insurance, and liability for damages is limited to " +
      `${w.liabilityCap}.`,
    who: "You can lose everything. Ask how coins are kept apart.",
  },
  {
    title: "The keys are lost or stolen",
    what: "Whoever holds the keys holds the coins. The operator does; they are not on this server.",
    who: "You can lose everything. Ask how many people must sign.",
  },
  {
    title: "You send to the wrong place",
    what: "Payments on a chain cannot be called back. A wrong network or address is usually a loss.",
    who: "You bear it. Try a small amount first.",
  },
  {
    title: "The law changes",
    what: "Mining or the service can be restricted where the machines stand or where you live. Taxes can be due on credits.",
    who: "You bear it.",
  },
  {
    title: "What leaves cannot be called back",
    what: "Coins leave on the next day at the earliest, on the network that the page Withdraw names. What is sent to a wrong address, or to a wallet that reads another network, is lost.",
    who: "You bear it. A payment that the chain refuses comes back, and its fee is ours.",
  },
];

/** What can go wrong, each with who bears it. */
export function Risks() {
  return (
    <Section id="risks" title="What can go wrong">
      <p>None of these is far-fetched. Each says who bears it.</p>
      <ul className={styles.cards}>
        {risks.map(({ title, what, who }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{what}</p>
            <p className={styles.bearer}>{who}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
