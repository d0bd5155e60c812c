import { termWords } from "#core/term-words.ts";
import styles from "./reading.module.css";
import { Section } from "./reading-page.tsx";

const w = termWords();

const risks: { title: string; what: string; who: string }[] = [
  {
    title: "The price falls",
    what: "Credits are in bitcoin, power is paid in dollars. At a lower price the same day can be worth less than it cost.",
    who: "You bear it.",
  },
  {
    title: "The difficulty rises",
    what: "More machines in the world mean fewer bitcoin for each. No one knows how fast it rises.",
    who: "You bear it.",
  },
  {
    title: "The subsidy halves",
    what: "Every 210,000 blocks, about every four years, a block pays half as many new bitcoin.",
    who: "You bear it. The height is known beforehand.",
  },
  {
    title: "Power costs more",
    what: `The maintenance fee can rise, with at least ${w.maintenanceChangeNotice}' notice.`,
    who: "You bear it, or let the contract end.",
  },
  {
    title: "Machines are down",
    what: "Outages, heat, repairs, a site that loses its lease: less is delivered than was sold.",
    who: "We add the missing hashrate to the end of your contract. By then a day may pay less.",
  },
  {
    title: "The pool fails",
    what: "It pays late, less, or never. If it pays nothing, we credit nothing.",
    who: "You bear it, as the operator does.",
  },
  {
    title: "The contract is cancelled",
    what: `When the balance cannot cover the maintenance fee for ${w.unpaidMaintenance} (termination clause: ${w.terminationClause}), the contract ends. Its plan states whether we refund the price of days not served.`,
    who: "You bear it. A timer shows what is left; a deposit stops it.",
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
    what: "The keys control the coins. The operator has them; they are not on this server.",
    who: "You can lose everything. Ask how many people must sign.",
  },
  {
    title: "You send to the wrong place",
    what: "Payments on a chain cannot be reversed. A wrong network or address is usually a loss.",
    who: "You bear it. Try a small amount first.",
  },
  {
    title: "The law changes",
    what: "Mining or the service can be restricted where the machines are or where you live. Taxes can be due on credits.",
    who: "You bear it.",
  },
  {
    title: "A withdrawal cannot be reversed",
    what: "Coins leave on the next day at the earliest, on the network that the page Withdraw names. If the address is wrong, or the wallet reads another network, they are lost.",
    who: "You bear it. If the chain refuses a payment, it comes back and we pay its fee.",
  },
];

/** What can go wrong, each with who bears it. */
export function Risks() {
  return (
    <Section id="risks" title="What can go wrong">
      <p>All of these have happened to mining customers somewhere. Each says who bears the loss.</p>
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
