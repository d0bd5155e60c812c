import { Link } from "react-router";
import { keptPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { termWords } from "#core/term-words.ts";
import { appContext } from "#server/app-context.ts";
import { getCompany } from "#server/content/queries.ts";
import type { Route } from "./+types/about";
import { orElse } from "./or-else.ts";
import { CheckingSteps } from "./reading/checking-steps.tsx";
import { CompanyFacts } from "./reading/company-facts.tsx";
import styles from "./reading/reading.module.css";
import { ReadingPage, Section } from "./reading/reading-page.tsx";
import { StackedTable } from "./stacked-table.tsx";

export const handle = keptPage();

export const meta = pageMeta({
  title: "About",
  description:
    "Who runs this service, how a customer checks its figures, what cannot be proved, and what to demand from any operator of cloud mining.",
  path: "/about",
});

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return { company: await orElse(app, getCompany(app.db), null) };
}

const w = termWords();

const contents = [
  ["operator", "Who runs it"],
  ["check", "How to check a figure"],
  ["impossible", "What nobody can do"],
  ["limits", "What cannot be proved"],
  ["demand", "What to demand"],
  ["fraud", "How fraud looks"],
  ["software", "The software"],
] as const;

export default function About({ loaderData: { company } }: Route.ComponentProps) {
  return (
    <ReadingPage
      title="About"
      lead="Cloud mining asks you to trust somebody else's machines, wallets and bookkeeping. This page says who that is here, how to check the bookkeeping yourself, and where checking ends."
      contents={contents}
    >
      <Section id="operator" title="Who runs this service">
        <CompanyFacts of={company} />
        <p>
          The operator owns or rents the machines, holds the coins that customers deposit, and is
          whom you have an agreement with. <Link to="/contact">Write to the operator</Link> with any
          question that this page leaves open.
        </p>
      </Section>
      <Section id="check" title="How you check a figure">
        <p>
          An assay tells how much gold is in the ore. Here every figure that can be traced carries a
          small stamp; a figure that cannot, such as an estimate or an old price, carries a broken
          one and says why.
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
    <Section id="impossible" title="What nobody can do in this product">
      <p>
        These rules are kept by the database itself, PostgreSQL, not only by the pages in front of
        it. The program's own login cannot break them.
      </p>
      <ul className={styles.list}>
        <li>Type a balance, or a profit. Both are sums of entries.</li>
        <li>Write an entry whose two sides do not add up to zero.</li>
        <li>Change or delete an entry. A mistake is corrected by a second one beside it.</li>
        <li>Take a customer's balance below zero.</li>
        <li>Count one payment for two deposits.</li>
        <li>Sell more hashrate than the machines can do.</li>
        <li>Book a pool's payment without its transaction or the pool's own statement.</li>
        <li>Give away the operator's own coins, or confirm a count of the wallets, alone.</li>
        <li>Sell a contract while less was counted in the wallets than the journal says.</li>
        <li>
          Book a withdrawal as paid without a transaction that pays it to the address that was asked
          for.
        </li>
        <li>
          Decide on a deposit or a withdrawal without a line in the audit log that says who did.
        </li>
      </ul>
    </Section>
  );
}

function Limits() {
  return (
    <Section id="limits" title="What cannot be proved to you today">
      <p>
        A checkable journal is worth much, and it is not everything. An operator who means harm has
        these ways left:
      </p>
      <ul className={styles.list}>
        <li>
          <strong>The coins may be gone.</strong> The journal proves what you are owed. Two people
          of the operator's count the wallets, and <Link to="/plans">the plans</Link> say what was
          counted, and when: that is their word, with no proof that you could check. A public proof
          of reserves is not offered yet.
        </li>
        <li>
          <strong>The program may have been changed.</strong> Whoever owns the server can run other
          software that looks the same, or switch off the database's rules. A seal that you have
          kept shows that history was rewritten; it does not undo it.
        </li>
        <li>
          <strong>The machines may not exist.</strong> Each mining credit rests on a pool's payment:
          on its transaction, which can be looked up, or on the pool's statement, of which you see
          the hash. That the pool paid for these machines, and not for others, neither proves.
        </li>
        <li>
          <strong>The operator may stop answering.</strong> No software helps against that. A name,
          an address and a court do, sometimes.
        </li>
      </ul>
    </Section>
  );
}

function Demand() {
  return (
    <Section id="demand" title="What to demand from any operator, this one included">
      <ul className={styles.list}>
        <li>
          The company's name, register number and postal address, and that a register confirms them.
        </li>
        <li>The names of the people who answer for it.</li>
        <li>Where the machines stand, how many, what power they draw and what it costs.</li>
        <li>Which pool pays them, and the transactions of its payments.</li>
        <li>
          How the coins of customers are kept: who holds the keys, and how many people must sign.
        </li>
        <li>Accounts that somebody independent has examined, and when.</li>
        <li>Under which law and supervision the company works, and whether it needs a licence.</li>
        <li>A small withdrawal, before you pay in more.</li>
      </ul>
      <p>An honest operator is glad to be asked. Who has no time for it has told you enough.</p>
    </Section>
  );
}

function Fraud() {
  return (
    <Section id="fraud" title="How fraud in this field looks">
      <p>Sites with screens much like these are often a fraud. Leave when you meet one of these:</p>
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
            "A countdown, a last place, somebody who hurries you",
            `A price stands for ${w.quote}, because coins move; a new one costs nothing. Take a week.`,
          ],
          [
            "A manager who writes to you by messenger",
            "Staff answer through the contact page and by e-mail.",
          ],
          [
            "Somebody who wants your screen, password or seed phrase",
            "Nobody here ever asks for them.",
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
