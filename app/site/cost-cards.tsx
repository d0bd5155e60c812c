import { Title } from "@mantine/core";
import { Link } from "react-router";
import { Drawing, type DrawingName } from "#app/ui/drawing.tsx";
import styles from "./cost-cards.module.css";
import home from "./home-section.module.css";

const costs: { drawing: DrawingName; title: string; text: string }[] = [
  {
    drawing: "pylon",
    title: "Electricity",
    text: "The largest cost of mining, every hour of every day. It comes to you as one maintenance fee, stated beforehand.",
  },
  {
    drawing: "hall",
    title: "Premises",
    text: "Machines need floor, power lines and distance from anyone who wants to sleep. They stand in a hall, not in your home.",
  },
  {
    drawing: "fan",
    title: "Cooling and ventilation",
    text: "Almost all the power that goes in comes out as heat. Moving it away is part of the site, and of the fee.",
  },
  {
    drawing: "strongbox",
    title: "Secure investment",
    text: "No machine to buy that may be outdated before it has paid for itself. Secure means traceable: it does not mean that mining always pays.",
  },
  {
    drawing: "recorder",
    title: "24/7 monitoring",
    text: "Machines are watched around the clock. Hashrate that was sold and not delivered is added to a contract's end.",
  },
  {
    drawing: "callipers",
    title: "Technical skills",
    text: "Firmware, pools, repairs and spare parts are somebody's daily work. It need not be yours.",
  },
];

/** What mining costs whoever does it at home. */
export function CostCards() {
  return (
    <section className={`${home.section} ${styles.section}`} aria-labelledby="costs">
      <Title order={2} id="costs" className={`${home.heading} ${styles.heading}`}>
        What mining costs, and who carries it
      </Title>
      <p className={home.lead}>
        Whoever buys hashrate pays for all of it, in the price and in the maintenance fee.{" "}
        <Link to="/plans">The plans</Link> say how much; <Link to="/services">Services</Link> says
        how each cost reaches you, and what can go wrong.
      </p>
      <ul className={styles.cards}>
        {costs.map(({ drawing, title, text }) => (
          <li key={title} className={styles.card}>
            <div className={styles.picture}>
              <Drawing name={drawing} />
            </div>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
