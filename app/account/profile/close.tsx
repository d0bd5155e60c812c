import { data, Form, Link } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { errorsOf, leadOn, runAct, unlessRefused } from "#app/run-act.ts";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { type Coin, coins } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { cancellableStates, coinWords, smallestPayment } from "#core/payments/withdrawal.ts";
import { retention } from "#core/retention.ts";
import { type App, appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { requireStepUpFor } from "#server/identity/step-up/require-step-up.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { askClosing, withdrawClosing } from "#server/personal-data/ask-closing.ts";
import { mayBeLeft, mostToLeave } from "#server/personal-data/closing.ts";
import { findOpenClosing } from "#server/personal-data/find-closing.ts";
import { isOwed } from "#server/personal-data/is-owed.ts";
import { leaveRemainder } from "#server/personal-data/leave-remainder.ts";
import { listOpenFinalPayments } from "#server/withdrawals/final-payments.ts";
import { offeredTerms } from "#server/withdrawals/offered-terms.ts";
import { saySetting } from "../refusals/settings.ts";
import type { Route } from "./+types/close";
import { browserOf } from "./browser-of.ts";
import styles from "./profile.module.css";
import { closeSchema } from "./schemas.ts";

const dust = formatAmount(smallestPayment.BTC, "BTC");

export const meta = titled("Close the account");
export const shouldRevalidate = readAfterConflict;
export const headers = answerHeaders;

export const middleware: Route.MiddlewareFunction[] = [
  requireStepUpFor((form) => form.get("intent") !== "take-back"),
];

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const { id } = context.get(customerContext);
  const [owed, closing, balances, payments] = await Promise.all([
    isOwed(db, id),
    findOpenClosing(db, id),
    getBalances(db, id),
    listOpenFinalPayments(db, id),
  ]);
  const offered = offeredTerms(config);
  const remainders = coins.flatMap((coin): Remains[] => {
    const { feeUnits } = config.withdrawals.coins[coin];
    const balance = balances[coin];
    const mostUnits = mostToLeave(coin, feeUnits);
    if (!mayBeLeft(balance, mostUnits)) return [];
    const canBePaid = !isDust(coin, balance) && offered[coin] !== undefined;
    return [{ coin, units: balance.available, mostUnits, feeUnits, canBePaid }];
  });
  const standing = coins.flatMap((coin): Standing[] => {
    const { available, held } = balances[coin];
    const canBePaid = offered[coin] !== undefined && !isDust(coin, balances[coin]);
    return available > 0n || held > 0n ? [{ coin, available, held, canBePaid }] : [];
  });
  const final = payments.map(({ asset, state }) => ({
    coin: asset,
    isLeaving: !cancellableStates.includes(state),
  }));
  return { owed, waitingSince: closing?.askedAt ?? null, standing, remainders, final };
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
    return takeBack(app, { customerId, browser, now });
  }
  if (form.get("intent") === "leave-remainder") {
    const asset = coins.find((each) => each === form.get("coin")) ?? "BTC";
    return leaveIt(app, customerId, asset, now);
  }
  const submission = parseForm(form, { schema: closeSchema });
  const hidden = { hideFields: ["password"] as never[] };
  if (submission.status !== "success") return data(submission.reply(hidden), 400);
  const { password } = submission.value;
  return runAct(
    async () => {
      const asked = { customerId, password, browser, site: app.config, now };
      const { state } = await askClosing(app.db, asked);
      return state === "waiting"
        ? { to: "/account/profile/close", say: "closing-waits" }
        : { to: "/login", say: "account-closed" };
    },
    (said) => submission.reply({ ...hidden, ...errorsOf(said, form) }),
    saySetting(now),
  );
}

/** Where a final payment went into a batch meanwhile, the page says so. */
function takeBack({ db }: App, stays: Parameters<typeof withdrawClosing>[1]) {
  return unlessRefused(
    async () => {
      await withdrawClosing(db, stays);
      return leadOn({ to: "/account/profile", say: "closing-taken-back" });
    },
    () => leadOn({ to: "/account/profile/close" }),
  );
}

/** What is no longer as it was is shown as it is. */
async function leaveIt({ db, config }: App, customerId: string, asset: Coin, now: Date) {
  const { feeUnits } = config.withdrawals.coins[asset];
  const to = "/account/profile/close";
  return unlessRefused(
    async () => {
      const left = { customerId, asset, feeUnits, site: config, now };
      const { hasLeft } = await leaveRemainder(db, left);
      return hasLeft
        ? leadOn({ to: "/login", say: "account-closed" })
        : leadOn({ to, say: "remainder-left" });
    },
    () => leadOn({ to }),
  );
}

export default function Close({ loaderData, actionData }: Route.ComponentProps) {
  const { owed, waitingSince, standing, remainders, final } = loaderData;
  return (
    <>
      <PageHeader title="Close the account" />
      <div className={styles.narrow}>
        {waitingSince ? (
          <Waiting since={waitingSince} standing={standing} remainders={remainders} final={final} />
        ) : (
          <>
            <Consequences owed={owed} />
            <Panel title="Close it">
              <CloseForm lastResult={actionData ?? undefined} owed={owed} />
            </Panel>
          </>
        )}
        <Link to="/account/profile">Back to the profile</Link>
      </div>
    </>
  );
}

function Consequences({ owed }: { owed: boolean }) {
  return (
    <Panel title="What will happen">
      <ol className={styles.list}>
        <li>
          First we pay out everything we owe you, also below the minimum withdrawal, and without a
          fee. Only less than {dust} BTC cannot be sent on the network. You choose: give it up, or
          keep the account until there is more. You can also give up what is worth no more than its
          withdrawal fee. We review pending deposits first, and running contracts go on to their
          end.
        </li>
        <li>
          Then we sign out every device, and signing in is no longer possible. We e-mail you a link
          that opens the account again, for {retention.changeOfMindDays} days.
        </li>
        <li>
          After these {retention.changeOfMindDays} days we erase your name, e-mail address, phone
          number, phrase, settings, mails, messages and words on our site, and the addresses and
          browsers that you came from. Your payment slips follow {retention.closedAccountSlipDays}{" "}
          days later, when no dispute about them can be raised any more.
        </li>
        <li>
          We erase what you told and sent us for your identity check, too. If you have had coins
          here, the law on money laundering requires us to keep who you were (the last approval, and
          your country) for {retention.kycYears} years; then we erase that as well.
        </li>
        <li>
          The ledger, your deposits and the acts of staff stay, under a number that does not
          identify you. The ledger is never rewritten: that is what makes all figures provable.
        </li>
      </ol>
      <div className={styles.about}>
        If you want a copy of your data, make it first{" "}
        <Link to="/account/profile/data">on your profile</Link>.
      </div>
      {owed ? <Owed /> : <Notice>We owe you nothing, so the account closes at once.</Notice>}
    </Panel>
  );
}

function Owed() {
  return (
    <Notice
      tone="warning"
      title="You still have a balance, a pending deposit or a running contract"
    >
      We record your request, and the account stays open. You then request the final payment of each
      coin to your own address. The account closes automatically after the last one.
    </Notice>
  );
}

interface Remains {
  coin: Coin;
  units: bigint;
  /** As much can be left in all. */
  mostUnits: bigint;
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

/** A final payment that was asked for. */
interface FinalPayment {
  coin: Coin;
  /** It is in a batch: nothing takes it back. */
  isLeaving: boolean;
}

interface WaitingProps {
  since: Date;
  standing: Standing[];
  remainders: Remains[];
  final: FinalPayment[];
}

function Waiting({ since, standing, remainders, final }: WaitingProps) {
  return (
    <Panel title="Closing, waiting for the final payout">
      <div className={styles.state}>
        <Notice tone="warning" title="We have recorded your request to close">
          You asked on <When at={since} plain />. Before that:{" "}
          {standing.length > 0
            ? "we pay out each coin below in full, below the minimum too, and without a fee"
            : "a deposit is pending, a payment is arriving, or a contract is running"}
          . The account closes automatically once we owe you nothing.
        </Notice>
      </div>
      {standing.length > 0 ? <StandingCoins standing={standing} final={final} /> : null}
      {remainders.map((each) => (
        <Remainder key={each.coin} remains={each} />
      ))}
      <KeepForm final={final} />
    </Panel>
  );
}

function KeepForm({ final }: { final: FinalPayment[] }) {
  const leaving = final.find(({ isLeaving }) => isLeaving);
  if (leaving) {
    return (
      <div>
        Your final payment of {coinWords[leaving.coin]} is being sent. You can keep the account once
        it has arrived.
      </div>
    );
  }
  return (
    <Form method="post">
      {final.length > 0 ? (
        <p>If you keep the account, we cancel the final payments that you have requested.</p>
      ) : null}
      <SubmitButton name="intent" value="take-back" look="quiet">
        Keep the account
      </SubmitButton>
    </Form>
  );
}

function StandingCoins({ standing, final }: Pick<WaitingProps, "standing" | "final">) {
  const isLeaving = (coin: Coin) => final.some((each) => each.coin === coin && each.isLeaving);
  const facts = standing.map(({ coin, available, held, canBePaid }) => ({
    label: `Final payment of ${coinWords[coin]}`,
    value: (
      <>
        {available > 0n ? (
          <div className={styles.standing}>
            <Amount units={available} asset={coin} />
            {canBePaid ? <Link to={`/account/withdraw?coin=${coin}`}>Request it</Link> : null}
          </div>
        ) : null}
        {held > 0n ? (
          <div className={styles.standing}>
            <Amount units={held} asset={coin} />
            <Link to={`/account/withdraw?coin=${coin}`}>
              {isLeaving(coin) ? "Being sent" : "Requested"}
            </Link>
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

/** What the customer still has, and cannot be sent or is not worth its fee. */
function Remainder({ remains }: { remains: Remains }) {
  const { coin, units, mostUnits } = remains;
  const isTooSmall = isDust(coin, { available: units });
  return (
    <div className={styles.state}>
      <div className={styles.state}>
        <Notice title={isTooSmall ? "Too little to be sent" : "Less than a withdrawal costs"}>
          Your {coinWords[coin]} comes to <Amount units={units} asset={coin} />.{" "}
          {isTooSmall ? (
            <>Less than {dust} BTC cannot be sent on the network: nodes do not relay it.</>
          ) : (
            <Worth remains={remains} />
          )}{" "}
          You can give it up. What is there when the account closes goes with it, up to{" "}
          <Amount units={mostUnits} asset={coin} /> in all. The ledger records that in entries that
          your data export includes, and it cannot be undone.{" "}
          {remains.canBePaid
            ? null
            : "Or keep the account until there is more, and we pay out all of it."}
        </Notice>
      </div>
      <Form method="post">
        <input type="hidden" name="coin" value={coin} />
        <SubmitButton
          name="intent"
          value="leave-remainder"
          look="quiet"
          pendingText="Giving it up…"
        >
          {coin === "BTC" ? "Give it up" : `Give up the ${coinWords[coin]}`}
        </SubmitButton>
      </Form>
    </div>
  );
}

function Worth({ remains: { coin, feeUnits, canBePaid } }: { remains: Remains }) {
  const cost = <Amount units={feeUnits} asset={coin} />;
  return canBePaid ? (
    <>
      A withdrawal costs {cost}. The final payment is free, and needs two-factor authentication and
      your own address.
    </>
  ) : (
    <>A withdrawal would cost {cost}, and this coin cannot be withdrawn here at the moment.</>
  );
}

interface CloseFormProps {
  lastResult: Parameters<typeof useForm>[0]["lastResult"];
  owed: boolean;
}

function CloseForm({ lastResult, owed }: CloseFormProps) {
  const form = useForm({
    id: "close",
    lastResult: lastResult as never,
    checksOnLeave: true,
    rules: async () => (await import("./schemas.ts")).closeSchema,
  });
  return (
    <Form method="post" className={layout.form} {...form.props}>
      <FormAlert errors={form.errors} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...form.field("password")}
      />
      <div>
        <SubmitButton tone="brick" pendingText="Closing…">
          {owed ? "Close once I am paid out" : "Close the account"}
        </SubmitButton>
      </div>
    </Form>
  );
}
