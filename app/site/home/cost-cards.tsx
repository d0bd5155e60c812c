import { Link } from "react-router";
import { Drawing, Sketch } from "#app/ui/page/drawing.tsx";
import styles from "./cost-cards.module.css";
import { costDrawings } from "./cost-drawings.tsx";
import home from "./home-section.module.css";

const costs: { drawing: "pylon" | keyof typeof costDrawings; title: string; text: string }[] = [
  {
    drawing: "pylon",
    title: "Electricity",
    text: "The largest cost of mining, every hour of every day. You pay it as part of one maintenance fee, stated beforehand.",
  },
  {
    drawing: "hall",
    title: "Premises",
    text: "Machines need floor, power lines and distance from neighbours. They run in a hall, not in your home.",
  },
  {
    drawing: "fan",
    title: "Cooling and ventilation",
    text: "Almost all the power that goes in comes out as heat. Removing it is part of the site, and of the fee.",
  },
  {
    drawing: "strongbox",
    title: "Secure investment",
    text: "You buy no machine that may be outdated before it has paid for itself. Secure means traceable: it does not mean that mining always pays.",
  },
  {
    drawing: "recorder",
    title: "24/7 monitoring",
    text: "We watch the machines around the clock. Hashrate that we sold and did not deliver is added to the end of your contract.",
  },
  {
    drawing: "callipers",
    title: "Technical skills",
    text: "Firmware, pools, repairs and spare parts are daily work. We do it.",
  },
];

/** What mining costs, at home or here. */
export function CostCards() {
  return (
    <section className={`${home.section} ${styles.section}`} aria-labelledby="costs">
      <h2 id="costs" className={`${home.heading} ${styles.heading}`}>
        What mining costs, and who carries it
      </h2>
      <p className={home.lead}>
        If you buy hashrate you pay for all of this: once in the price, then daily in the
        maintenance fee. <Link to="/plans">The plans</Link> say how much;{" "}
        <Link to="/services">Services</Link> says how each cost reaches you, and what can go wrong.
      </p>
      <ul className={styles.cards}>
        {costs.map(({ drawing, title, text }) => (
          <li key={title} className={styles.card}>
            <div className={styles.picture}>
              {drawing === "pylon" ? (
                <Drawing name={drawing} />
              ) : (
                <Sketch>{costDrawings[drawing]}</Sketch>
              )}
            </div>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
