import { Link } from "react-router";
import { Check } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import type { SetupState, SetupStep } from "#core/people/setup-steps.ts";
import styles from "./setup-list.module.css";

/** What each step is, how long it takes, and where it is done. */
const steps: Record<SetupStep, { what: string; how: string; minutes: string; to: string }> = {
  identity: {
    what: "Say who you are",
    how: "Set SITE_NAME in .env and start again. Then publish the company's name and postal address: they are the imprint.",
    minutes: "10 min",
    to: "/operator/content/company/company",
  },
  mail: {
    what: "Send mail",
    how: "Set SMTP_URL and MAIL_FROM in .env. Until then mails are kept here, and no customer gets one.",
    minutes: "10 min",
    to: "/operator/mail",
  },
  "second-person": {
    what: "Invite a second person",
    how: "Wallet counts, own money and corrections need two people. Invite an approver or another owner.",
    minutes: "5 min",
    to: "/operator/staff",
  },
  node: {
    what: "Connect a Bitcoin node",
    how: "Set BITCOIN_RPC_URL in .env. The node credits payments and sends withdrawals; a pruned one is enough.",
    minutes: "15 min, and hours until a new node is in sync",
    to: "/operator/chain",
  },
  wallet: {
    what: "Open a wallet",
    how: "Set DEPOSIT_WALLET_BITCOIN in .env to the public key of your wallet. Then prove that it is yours.",
    minutes: "15 min",
    to: "/operator/wallets",
  },
  prices: {
    what: "Get prices",
    how: "We ask the exchanges automatically. Sales need a price that is at most ten minutes old.",
    minutes: "1 min",
    to: "/operator/markets",
  },
  site: {
    what: "Add a site",
    how: "The place where your machines run, as customers read it.",
    minutes: "1 min",
    to: "/operator/fleet/sites",
  },
  energy: {
    what: "Enter what energy costs",
    how: "The price of a kilowatt hour at the site, with the bill that says so.",
    minutes: "1 min",
    to: "/operator/fleet/sites",
  },
  machines: {
    what: "Add the machines",
    how: "Model, number, measured hashrate and watts. Only what they can do is ever sold.",
    minutes: "3 min",
    to: "/operator/fleet",
  },
  pool: {
    what: "Add a pool",
    how: "What it pays is credited to customers, day by day.",
    minutes: "2 min",
    to: "/operator/payouts/pools",
  },
  plan: {
    what: "Publish a plan",
    how: "Draft the price and the maintenance fee. The draft shows what customers can expect before you publish it.",
    minutes: "10 min",
    to: "/operator/plans/new",
  },
  terms: {
    what: "Publish your own terms",
    how: "Ours are a model. Have a lawyer of your country read them, then publish your version with npm run legal.",
    minutes: "an hour, and a lawyer",
    to: "/terms",
  },
  "first-count": {
    what: "Count the wallets for the first time",
    how: "Count even when they are empty. Once a colleague confirms it, visitors see how much of the ledger is covered.",
    minutes: "10 min",
    to: "/operator/reconciliation/new",
  },
};

/** From nothing to the first sale: what is done, what comes next, and where. Gone when all of it is done. */
export function SetupList({ states }: { states: SetupState[] }) {
  if (states.length === 0) return null;
  const open = states.filter(({ isDone }) => !isDone);
  const done = states.filter(({ isDone }) => isDone);
  return (
    <div className={styles.list}>
      <Panel
        title="Your way to the first sale"
        aside={
          <span className={styles.count}>
            {done.length} of {states.length} done
          </span>
        }
      >
        <progress
          className={styles.progress}
          value={done.length}
          max={states.length}
          aria-label="Steps done"
        />
        <ol className={styles.steps}>
          {open.map(({ step }, index) => (
            <Step key={step} step={step} isNext={index === 0} />
          ))}
        </ol>
        {done.length > 0 ? (
          <details className={styles.done}>
            <summary>Done</summary>
            <ul className={styles.ticked}>
              {done.map(({ step }) => (
                <li key={step}>
                  <Check size={16} aria-hidden="true" />
                  <Link to={steps[step].to}>{steps[step].what}</Link>
                  <VisuallyHidden>done</VisuallyHidden>
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </Panel>
    </div>
  );
}

function Step({ step, isNext }: { step: SetupStep; isNext: boolean }) {
  const { what, how, minutes, to } = steps[step];
  return (
    <li className={styles.step} data-next={isNext ? "" : undefined}>
      <span className={styles.box} aria-hidden="true" />
      <div>
        <Link to={to} className={styles.what}>
          {what}
        </Link>
        {isNext ? <span className={styles.next}>next</span> : null}
        <p className={styles.how}>{how}</p>
      </div>
      <span className={styles.minutes}>{minutes}</span>
    </li>
  );
}
