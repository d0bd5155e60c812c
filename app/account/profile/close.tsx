import { getFormProps, useForm } from "@conform-to/react";
import { Anchor, PasswordInput } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { Amount } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { type FlashKey, flash } from "#app/ui/flash.ts";
import { FormAlert, field, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
import { When } from "#app/ui/when.tsx";
import { type Coin, coins } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { retention } from "#core/retention.ts";
import { coinWords, smallestPayment } from "#core/withdrawal.ts";
import { type App, appContext } from "#server/app-context.ts";
import { factorFault } from "#server/identity/factor-fault.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { requireFactorFor } from "#server/identity/require-factor.ts";
import { getBalances } from "#server/ledger/queries.ts";
import { askClosing, withdrawClosing } from "#server/personal-data/ask-closing.ts";
import { mayBeLeft, mostToLeave } from "#server/personal-data/closing.ts";
import { leaveRemainder } from "#server/personal-data/leave-remainder.ts";
import { findOpenClosing, isOwed } from "#server/personal-data/queries.ts";
import { offeredTerms } from "#server/withdrawals/offered-terms.ts";
import type { Route } from "./+types/close";
import { browserOf } from "./browser-of.ts";
import styles from "./profile.module.css";
import { closeSchema } from "./schemas.ts";

const dust = formatAmount(smallestPayment.BTC, "BTC");

export const meta = titled("Close the account");
export const headers = answerHeaders;

export const middleware: Route.MiddlewareFunction[] = [
  requireFactorFor((form) => form.get("intent") !== "take-back"),
];

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const { id } = context.get(customerContext);
  const [owed, closing, balances] = await Promise.all([
    isOwed(db, id),
    findOpenClosing(db, id),
    getBalances(db, id),
  ]);
  const offered = offeredTerms(config);
  const remainders = coins.flatMap((coin): Remains[] => {
    const { feeUnits } = config.withdrawals.coins[coin];
    const balance = balances[coin];
    if (!mayBeLeft(balance, mostToLeave(coin, feeUnits))) return [];
    const canBePaid = !isDust(coin, balance) && offered[coin] !== undefined;
    return [{ coin, units: balance.available, feeUnits, canBePaid }];
  });
  const standing = coins.flatMap((coin): Standing[] => {
    const { available, held } = balances[coin];
    const canBePaid = offered[coin] !== undefined && !isDust(coin, balances[coin]);
    return available > 0n || held > 0n ? [{ coin, available, held, canBePaid }] : [];
  });
  return { owed, waitingSince: closing?.askedAt ?? null, standing, remainders };
}

/** What no transaction can carry. */
function isDust(coin: Coin, { available }: { available: bigint }): boolean {
  return coin === "BTC" && available < smallestPayment.BTC;
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const form = await request.formData();
  const browser = browserOf(request, context);
  const now = app.now();
  if (form.get("intent") === "take-back") {
    await withdrawClosing(app.db, { customerId, browser, now });
    return said("closing-taken-back", "/account/profile");
  }
  if (form.get("intent") === "leave-remainder") {
    const asset = coins.find((each) => each === form.get("coin")) ?? "BTC";
    return leaveIt(app, customerId, asset, now);
  }
  const submission = parseForm(form, { schema: closeSchema });
  const hidden = { hideFields: ["password"] as never[] };
  if (submission.status !== "success") return data(submission.reply(hidden), 400);
  const { password } = submission.value;
  try {
    const asked = { customerId, password, browser, site: app.config, now };
    const { state } = await askClosing(app.db, asked);
    return state === "waiting"
      ? said("closing-waits", "/account/profile/close")
      : said("account-closed", "/login");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { words, ...init } = factorFault(error, now);
    const said =
      error.code === "identity/wrong-password"
        ? { fieldErrors: { password: ["This is not your current password"] } }
        : { formErrors: [words] };
    return data(submission.reply({ ...hidden, ...said }), init);
  }
}

/** What is no longer as it was is shown as it is. */
async function leaveIt({ db, config }: App, customerId: string, asset: Coin, now: Date) {
  const { feeUnits } = config.withdrawals.coins[asset];
  try {
    const left = { customerId, asset, feeUnits, site: config, now };
    const { hasLeft } = await leaveRemainder(db, left);
    return hasLeft
      ? said("account-closed", "/login")
      : said("remainder-left", "/account/profile/close");
  } catch (error) {
    if (error instanceof Refusal) return redirect("/account/profile/close");
    throw error;
  }
}

async function said(key: FlashKey, next: string) {
  return redirect(next, { headers: { "Set-Cookie": await flash(key) } });
}

export default function Close({ loaderData, actionData }: Route.ComponentProps) {
  const { owed, waitingSince, standing, remainders } = loaderData;
  return (
    <>
      <PageHeader title="Close the account" />
      <div className={styles.narrow}>
        {waitingSince ? (
          <Waiting since={waitingSince} standing={standing} remainders={remainders} />
        ) : (
          <>
            <Consequences owed={owed} />
            <Panel title="Close it">
              <CloseForm lastResult={actionData ?? undefined} owed={owed} />
            </Panel>
          </>
        )}
        <Anchor component={Link} to="/account/profile">
          Back to the profile
        </Anchor>
      </div>
    </>
  );
}

function Consequences({ owed }: { owed: boolean }) {
  return (
    <Panel title="What will happen">
      <ol className={styles.list}>
        <li>
          What is owed to you is paid out first, all of it, also below the minimum withdrawal, and
          without a fee. Only less than {dust} BTC cannot be sent on the chain, by anybody: whether
          you leave that to the operator, or stay until there is more, is yours to say. Ether and
          USDT that come to no more than a withdrawal costs you may leave, too. Deposits that wait
          for review are decided first, and contracts that run are served to their end.
        </li>
        <li>
          Then everybody is signed out, and nobody can sign in any more. You get a mail with a link
          that opens the account again, for {retention.changeOfMindDays} days.
        </li>
        <li>
          After these {retention.changeOfMindDays} days we erase your name, e-mail address, phone
          number, phrase, settings, mails, messages and words on our site, and the addresses and
          browsers that you came from. Your payment slips follow {retention.closedAccountSlipDays}{" "}
          days later, when no dispute about them can be raised any more.
        </li>
        <li>
          What you said and sent for a verification is erased too. If you have had coins here, the
          law on money laundering asks us to keep who you were (the last approval, and your country)
          for {retention.verificationYears} years; then it goes as well.
        </li>
        <li>
          The journal, your deposits and what staff did stay, under a number that nobody can tell is
          you. The journal is never rewritten: that is what makes everybody's figures provable.
        </li>
      </ol>
      <div className={styles.about}>
        Make a copy of your data first, if you want one: it stands{" "}
        <Link to="/account/profile#data">on your profile</Link>.
      </div>
      {owed ? <Owed /> : <Notice>Nothing is owed to you, so the account closes at once.</Notice>}
    </Panel>
  );
}

function Owed() {
  return (
    <Notice tone="warning" title="Something is owed to you">
      Coins stand in your account, a deposit waits for review, or a contract runs. Your wish is
      written down and the account stays open. Then you ask for the final payment, to an address of
      your own, one for each coin, and the account closes by itself after the last.
    </Notice>
  );
}

interface Remains {
  coin: Coin;
  units: bigint;
  /** What a withdrawal of the coin costs, in its smallest unit. */
  feeUnits: bigint;
  /** Whether the final payment of it can be asked for. */
  canBePaid: boolean;
}

/** What there is of a coin: to be asked for, or asked for and on its way. */
interface Standing {
  coin: Coin;
  available: bigint;
  held: bigint;
  /** Whether the final payment of it can be asked for. */
  canBePaid: boolean;
}

interface WaitingProps {
  since: Date;
  standing: Standing[];
  remainders: Remains[];
}

function Waiting({ since, standing, remainders }: WaitingProps) {
  return (
    <Panel title="Closing, waiting for the final payout">
      <div className={styles.state}>
        <Notice tone="warning" title="Your wish to leave is written down">
          You asked on <When at={since} plain />. Something is owed to you first:{" "}
          {standing.length > 0
            ? "each coin below is paid out whole, below the minimum too, and without a fee"
            : "a deposit waits for review, a payment arrives, or a contract runs"}
          . The account closes by itself once nothing is owed to you any more.
        </Notice>
      </div>
      {standing.length > 0 ? <StandingCoins standing={standing} /> : null}
      {remainders.map((each) => (
        <Remainder key={each.coin} remains={each} />
      ))}
      <Form method="post">
        <SubmitButton name="intent" value="take-back" variant="default">
          I want to stay
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function StandingCoins({ standing }: { standing: Standing[] }) {
  const facts = standing.map(({ coin, available, held, canBePaid }) => ({
    label: `Final payment of ${coinWords[coin]}`,
    value: (
      <>
        {available > 0n ? (
          <div className={styles.standing}>
            <Amount units={available} asset={coin} />
            {canBePaid ? <Link to={`/account/withdraw?coin=${coin}`}>Ask for it</Link> : null}
          </div>
        ) : null}
        {held > 0n ? (
          <div className={styles.standing}>
            <Amount units={held} asset={coin} />
            <Link to={`/account/withdraw?coin=${coin}`}>Asked for</Link>
          </div>
        ) : null}
      </>
    ),
  }));
  return (
    <div className={styles.state}>
      <Facts facts={facts} />
    </div>
  );
}

/** What is the customer's, and cannot be given to him or is not worth it to him. */
function Remainder({ remains }: { remains: Remains }) {
  const { coin, units } = remains;
  return (
    <div className={styles.state}>
      <div className={styles.state}>
        <Notice title={coin === "BTC" ? "Too little to be sent" : "Less than a withdrawal costs"}>
          Your {coinWords[coin]} comes to <Amount units={units} asset={coin} />.{" "}
          {coin === "BTC" ? (
            <>Nobody can send less than {dust} BTC on the chain: nodes do not pass it on.</>
          ) : (
            <Worth remains={remains} />
          )}{" "}
          You can leave it to the operator. The journal says so for good, in an entry of yours that
          you take along with your data, and it cannot be undone.{" "}
          {remains.canBePaid ? null : "Or you stay until more is credited, and are paid all of it."}
        </Notice>
      </div>
      <Form method="post">
        <input type="hidden" name="coin" value={coin} />
        <SubmitButton
          name="intent"
          value="leave-remainder"
          variant="default"
          pendingText="Leaving it…"
        >
          {coin === "BTC" ? "Leave it to the operator" : `Leave the ${coinWords[coin]}`}
        </SubmitButton>
      </Form>
    </div>
  );
}

function Worth({ remains: { coin, feeUnits, canBePaid } }: { remains: Remains }) {
  const cost = <Amount units={feeUnits} asset={coin} />;
  return canBePaid ? (
    <>
      A withdrawal costs {cost}. The final payment costs you nothing, and needs a second factor and
      an address of your own.
    </>
  ) : (
    <>A withdrawal would cost {cost}, and none of this coin can be asked for here at the moment.</>
  );
}

interface CloseFormProps {
  lastResult: Parameters<typeof useForm>[0]["lastResult"];
  owed: boolean;
}

function CloseForm({ lastResult, owed }: CloseFormProps) {
  const [form, fields] = useForm<{ password: string }>({
    id: "close",
    lastResult: lastResult as never,
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: closeSchema }),
  });
  return (
    <Form method="post" className={styles.form} {...getFormProps(form)}>
      <FormAlert errors={form.errors} id={form.errorId} />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...field(fields.password, "password")}
        withAsterisk={false}
      />
      <div>
        <SubmitButton color="brick" pendingText="Closing…">
          {owed ? "Close once I am paid out" : "Close the account"}
        </SubmitButton>
      </div>
    </Form>
  );
}
