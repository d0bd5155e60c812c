import { Title } from "@mantine/core";
import Activity from "lucide-react/icons/activity";
import Fan from "lucide-react/icons/fan";
import ShieldCheck from "lucide-react/icons/shield-check";
import Warehouse from "lucide-react/icons/warehouse";
import Wrench from "lucide-react/icons/wrench";
import Zap from "lucide-react/icons/zap";
import styles from "./home.module.css";

const costs = [
  {
    Icon: Zap,
    title: "Electricity",
    text: "The largest cost of mining, every hour of every day. It comes to you as one maintenance fee, stated beforehand.",
  },
  {
    Icon: Warehouse,
    title: "Premises",
    text: "Machines need floor, power lines and distance from anyone who wants to sleep. They stand in a hall, not in your home.",
  },
  {
    Icon: Fan,
    title: "Cooling and ventilation",
    text: "Almost all the power that goes in comes out as heat. Moving it away is part of the site, and of the fee.",
  },
  {
    Icon: ShieldCheck,
    title: "Secure investment",
    text: "No machine to buy that may be outdated before it has paid for itself. Secure means traceable: it does not mean that mining always pays.",
  },
  {
    Icon: Activity,
    title: "24/7 monitoring",
    text: "Hashrate is measured around the clock. Time in which less was delivered than was sold is added to a contract's end.",
  },
  {
    Icon: Wrench,
    title: "Technical skills",
    text: "Firmware, pools, repairs and spare parts are somebody's daily work. It need not be yours.",
  },
];

/** What mining costs whoever does it at home. */
export function CostCards() {
  return (
    <section className={styles.section} aria-labelledby="costs">
      <Title order={2} id="costs" className={styles.heading}>
        What mining costs, and who carries it
      </Title>
      <div className={styles.cards}>
        {costs.map(({ Icon, title, text }) => (
          <div key={title} className={styles.card}>
            <Icon size={24} strokeWidth={1.5} aria-hidden="true" />
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
