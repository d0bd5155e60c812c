import { Button, Title } from "@mantine/core";
import { Link } from "react-router";
import { AssayBalance } from "./assay-balance.tsx";
import { CostCards } from "./cost-cards.tsx";
import styles from "./home.module.css";
import { PayoutSteps } from "./payout-steps.tsx";

export default function Home() {
  return (
    <>
      <section className={styles.hero}>
        <div>
          <Title order={1} className={styles.title}>
            Secure Trading and Bitcoin Cloud Mining Services
          </Title>
          <p className={styles.tagline}>
            The easiest, safest and fastest web app for cryptocurrency trading, mining and
            investments globally.
          </p>
          <Button component={Link} to="/signup" size="lg">
            Open an account
          </Button>
        </div>
        <div className={styles.drawing}>
          <AssayBalance />
        </div>
      </section>
      <PayoutSteps />
      <CostCards />
    </>
  );
}
