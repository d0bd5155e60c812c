import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { termWords } from "#core/term-words.ts";
import { appContext } from "#server/app-context.ts";
import { getCompany } from "#server/content/get-company.ts";
import { orElse } from "../frame/or-else.ts";
import type { Route } from "./+types/about";
import { CheckingSteps } from "./checking-steps.tsx";
import { CompanyFacts } from "./company-facts.tsx";
import styles from "./reading.module.css";
import { ReadingPage, Section } from "./reading-page.tsx";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "About",
  description:
    "The operator of this service, how you check its figures, what cannot be proved, and what to ask any operator of cloud mining.",
  path: "/about",
});

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return { company: await orElse(app, getCompany(app.db), null) };
}

const w = termWords();

const contents = [
  ["operator", "The operator"],
  ["check", "How to check a figure"],
  ["impossible", "What no one can do"],
  ["limits", "What cannot be proved"],
  ["demand", "What to ask"],
  ["fraud", "How fraud looks"],
  ["software", "The software"],
] as const;

export default function About({ loaderData: { company } }: Route.ComponentProps) {
  return (
    <ReadingPage
      title="About"
      lead="Cloud mining means trusting an operator's machines, wallets and bookkeeping. This page says who the operator is, how to check the bookkeeping yourself, and what you cannot check."
      contents={contents}
    >
      <Section id="operator" title="The operator of this service">
        <CompanyFacts of={company} />
        <p>
          The operator owns or rents the machines and holds the coins that customers deposit. Your
          agreement is with the operator. If this page leaves a question open,{" "}
          <Link to="/contact">write to the operator</Link>.
        </p>
      </Section>
      <Section id="check" title="How you check a figure">
        <p>
          An assay tells how much gold is in the ore. Here every figure that can be traced carries a
          small stamp; an estimate or an old price carries a broken one and says why. Try it on the{" "}
          <Link to="/receipt">sample receipt</Link>.
        </p>
        <CheckingSteps />
      </Section>
      <Impossible />
      <Limits />
      <Demand />
      <Fraud />
      <Software />
    </ReadingPage>
  );
}

function Impossible() {
  return (
    <Section id="impossible" title="What no one can do in this product">
      <p>
        The database itself, PostgreSQL, enforces these rules, not only the pages in front of it.
        The program's own login cannot break them.
      </p>
      <ul className={styles.list}>
        <li>Type a balance, or a profit. Both are sums of entries.</li>
        <li>Write an entry whose two sides do not add up to zero.</li>
        <li>Change or delete an entry. A mistake is corrected by a second entry.</li>
        <li>Take a customer's balance below zero.</li>
        <li>Count one payment for two deposits.</li>
        <li>
          Sell more hashrate than the machines can do, or, after the first two weeks of a site, than
          the less of <Link to="/proof#hashrate">what pools measured</Link> on seven days and 1.25
          times what they paid for.
        </li>
        <li>
          Book a pool's payment whose coins our Bitcoin node did not see at the pool's address,
          unless two people say why, on the receipts and by name.
        </li>
        <li>Give away the operator's own coins, or confirm a count of the wallets, alone.</li>
        <li>Sell a contract while a wallet count shows less than the ledger.</li>
        <li>
          Book a withdrawal as paid without a transaction that pays it to the requested address.
        </li>
        <li>
          Decide on a deposit or a withdrawal without a line in the audit log that names who did.
        </li>
      </ul>
    </Section>
  );
}

function Limits() {
  return (
    <Section id="limits" title="What cannot be proved to you today">
      <p>
        A ledger that you can check does not prevent everything. A dishonest operator could still do
        this:
      </p>
      <ul className={styles.list}>
        <li>
          <strong>The coins may be gone.</strong> The ledger proves what we owe you, and{" "}
          <Link to="/proof#owed">the daily proof</Link> what we owe to all customers together: each
          can check that their part is in it. Two members of staff count the wallets, and our
          Bitcoin node reads them: that is their word, and you cannot check it.
        </li>
        <li>
          <strong>The program may have been changed.</strong> The owner of the server can run other
          software that looks the same, or switch off the database's rules. A seal, or a day's hash,
          that you noted shows that history was rewritten; it does not undo it.
        </li>
        <li>
          <strong>The machines may not exist.</strong> Each mining credit is backed by a pool's
          payment, and its receipt names the coins that our node saw arrive, with their blocks,
          which you can look up. That does not prove that they come from mining and not from a
          friend, or that the machines were not rented for a week.
        </li>
        <li>
          <strong>The operator may stop answering.</strong> No software prevents that. A name, an
          address and a court sometimes help.
        </li>
      </ul>
    </Section>
  );
}

function Demand() {
  return (
    <Section id="demand" title="What to ask any operator, this one included">
      <ul className={styles.list}>
        <li>
          The company's name, register number and postal address, and that a register confirms them.
        </li>
        <li>The names of the people who answer for it.</li>
        <li>Where the machines are, how many, what power they draw and what it costs.</li>
        <li>Which pool pays them, and the transactions of its payments.</li>
        <li>How customers' coins are kept: who holds the keys, and how many people must sign.</li>
        <li>Accounts examined by an independent auditor, and when.</li>
        <li>Under which law and supervision the company works, and whether it needs a licence.</li>
        <li>A small withdrawal, before you pay in more.</li>
      </ul>
      <p>
        An honest operator welcomes these questions. One who will not answer has told you enough.
      </p>
    </Section>
  );
}

function Fraud() {
  return (
    <Section id="fraud" title="How fraud in this field looks">
      <p>Sites that look much like this one are often a fraud. Leave if you see one of these:</p>
      <StackedTable
        label="Signs of fraud, and how it is here"
        head={["Sign", "Here"]}
        rows={[
          ["A fixed return per day or month", "None is stated, anywhere. Mining can lose."],
          [
            "A payment before you can withdraw: a tax, a fee, an upgrade",
            "Never asked for. Our fee is taken from what you withdraw.",
          ],
          ["A balance that grows without a document behind it", "Every entry names its document."],
          ["A bonus for bringing others", "There is none."],
          [
            "A countdown, a last place, someone who hurries you",
            `We hold a price for ${w.quote}, because coin prices move; a new one costs nothing.`,
          ],
          [
            "A manager who writes to you by messenger",
            "Staff answer in your account, on the contact page and by e-mail.",
          ],
          [
            "Someone who wants your screen, password or seed phrase",
            "Our staff never ask for them.",
          ],
        ]}
        className={styles.table}
      />
    </Section>
  );
}

function Software() {
  return (
    <Section id="software" title="The software">
      <p>
        The site runs Assay, free software under the GNU Affero General Public License, version 3 or
        later. You may read it, run it, and ask the operator of any copy for the source of exactly
        that copy. It is made for operators who want to be checked; it cannot make one honest.
      </p>
      <p>
        <Link to="/services">Services</Link> says what can be done here today and what it costs; the{" "}
        <Link to="/terms">terms</Link> say what you agree to.
      </p>
    </Section>
  );
}
