import { randomUUID } from "node:crypto";
import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { type Coin, shownCoins } from "#core/asset.ts";
import { coinWords } from "#core/payments/withdrawal.ts";
import { countryOptions } from "#core/people/countries.ts";
import { assetNames } from "#core/price.ts";
import { pageSizes } from "#core/terms.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { getSecurityNeeds } from "#server/identity/account/get-security-facts.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { requireStepUpFor } from "#server/identity/step-up/require-step-up.ts";
import { getKyc } from "#server/kyc/get-kyc.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { findOpenClosing } from "#server/personal-data/find-closing.ts";
import { findNextFinal, type NextFinal } from "#server/withdrawals/final-payments.ts";
import { listAddresses } from "#server/withdrawals/list-addresses.ts";
import { listWithdrawals } from "#server/withdrawals/list-withdrawals.ts";
import { offeredTerms } from "#server/withdrawals/offered-terms.ts";
import { sumWithdrawnUsdCents } from "#server/withdrawals/sum-withdrawn.ts";
import { ResidencePart } from "../kyc/residence-part.tsx";
import type { Route } from "./+types/withdraw";
import { AddressBook } from "./address-book.tsx";
import { areMet, Conditions } from "./conditions.tsx";
import { RequestForm } from "./request-form.tsx";
import { submitWithdrawForm } from "./submit.ts";
import { Terms } from "./terms.tsx";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";
import { WithdrawalTable } from "./withdrawal-table.tsx";

/** Coins and where they go: someone who finds an open browser cannot pass two-factor authentication. */
export const middleware: Route.MiddlewareFunction[] = [
  requireStepUpFor((form) => form.get("intent") !== "remove-address"),
];
export const meta = titled("Withdraw");
export const shouldRevalidate = readAfterConflict;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const listing = readListing(request.url);
  const [balances, addresses, needs, verification, withdrawn, closing, list] = await Promise.all([
    getBalances(db, id),
    listAddresses(db, id),
    getSecurityNeeds(db, id, at),
    getKyc(db, id, at),
    sumWithdrawnUsdCents(db, id, at),
    findOpenClosing(db, id),
    listWithdrawals(db, id, listing, at),
  ]);
  const { residence, level } = verification;
  const shown = shownCoins(config.coins, balances);
  const coin =
    shown.find((each) => each === url.searchParams.get("coin")) ??
    shown.find((each) => balances[each].available > 0n) ??
    "BTC";
  const nextFinal = closing && (await findNextFinal(db, { customerId: id, coin, now: at }));
  return {
    coins: shown,
    now: at,
    requestKey: randomUUID(),
    coin,
    network: config.network,
    usdtContract: config.ethereumChain?.usdtContract ?? null,
    /** Null: it cannot be withdrawn here. */
    terms: offeredTerms(config)[coin] ?? null,
    balances,
    addresses: addresses.filter(({ asset }) => asset === coin),
    hasMfa: needs.hasMfa,
    moneyHeldUntil: needs.moneyHeldUntil,
    residence,
    countries: residence ? [] : countryOptions(),
    level,
    withdrawn,
    /** A customer who closes the account is paid all that is left, without a fee; of each coin once in `finalPaymentDays`. */
    isFinal: closing !== null && nextFinal === null,
    nextFinal,
    show: listing.show,
    list,
  };
}

function readListing(url: string) {
  const params = new URL(url).searchParams;
  const page = Number(params.get("page"));
  return {
    search: params.get("q") ?? undefined,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    show: pageSizes.find((size) => size === Number(params.get("show"))) ?? pageSizes[0],
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { id: customerId } = context.get(customerContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const form = await request.formData();
  return submitWithdrawForm(context.get(appContext), form, { customerId, browser });
}

export default function WithdrawPage({ loaderData, actionData }: Route.ComponentProps) {
  const { list, show, now, coin, terms } = loaderData;
  return (
    <>
      <PageHeader
        title="Withdraw"
        description="Send coins to your own wallet. You see the exact amount and day before you confirm."
      />
      <CoinTabs data={loaderData} />
      <div className={styles.columns}>
        <Panel title={`Withdraw ${coinWords[coin]}`}>
          <Request data={loaderData} answer={actionData} />
        </Panel>
        <div className={layout.stack}>
          {loaderData.hasMfa && terms ? (
            <AddressBook key={coin} data={loaderData} answer={actionData} />
          ) : null}
          <Terms data={loaderData} />
        </div>
      </div>
      <WithdrawalTable list={list} show={show} now={now} />
    </>
  );
}

/** One coin at a time, with what is available of each. */
function CoinTabs({ data: { coins, coin, balances } }: { data: WithdrawData }) {
  return (
    <nav className={styles.coins} aria-label="Coin">
      {coins.map((each) => (
        <Link
          key={each}
          to={`/account/withdraw?coin=${each}`}
          className={styles.coin}
          aria-current={each === coin ? "page" : undefined}
          preventScrollReset
        >
          <span className={styles.coinName}>{each === "USDT" ? "USDT" : assetNames[each]}</span>
          <Amount units={balances[each].available} asset={each} plain />
        </Link>
      ))}
    </nav>
  );
}

/** What has to be settled first, or the form: disabled, but seen, until its conditions are met. */
function Request({
  data,
  answer,
}: {
  data: WithdrawData;
  answer: Route.ComponentProps["actionData"];
}) {
  const { coin, terms, nextFinal } = data;
  const instead = insteadOfForm(data);
  if (instead || !terms) {
    const faults = answer?.intent === "request" ? answer.result.error : null;
    return (
      <>
        <FormAlert errors={Object.values(faults ?? {}).flatMap((texts) => texts ?? [])} />
        {instead}
      </>
    );
  }
  const isOpen = areMet(data);
  return (
    <>
      {nextFinal ? (
        <div className={styles.before}>
          <LastFinal coin={coin} next={nextFinal} isServed={data.residence?.served ?? true} />
        </div>
      ) : null}
      {isOpen ? null : <Conditions data={data} />}
      <RequestForm key={coin} data={data} terms={terms} answer={answer} isOpen={isOpen} />
    </>
  );
}

function insteadOfForm(data: WithdrawData) {
  const { coin, terms, residence, countries, balances, nextFinal } = data;
  if (!terms) {
    return (
      <Notice title={`${coin} cannot be withdrawn here yet`}>
        We have not set up withdrawals of it. Your {coin} stays in your balance.
      </Notice>
    );
  }
  if (data.hasMfa && !residence) {
    return (
      <>
        <p className={styles.note}>
          Where do you live? We ask this once, before your first withdrawal.
        </p>
        <ResidencePart countries={countries} next={`/account/withdraw?coin=${coin}`} />
      </>
    );
  }
  const isServed = residence?.served ?? true;
  if (!isServed && !data.isFinal) {
    return nextFinal ? (
      <LastFinal coin={coin} next={nextFinal} isServed={false} />
    ) : (
      <Notice tone="warning">
        The service is not available to residents of the country you declared. You can change it on
        the page <Link to="/account/verification?step=residence">Verification</Link>. If you cannot,{" "}
        <Link to="/account/profile/close">close your account</Link>: we make the final payment
        whatever the country.
      </Notice>
    );
  }
  if (areMet(data) && balances[coin].available === 0n) {
    return (
      <EmptyState drawing="balance">
        No {coinWords[coin]} is available. Withdrawals you have requested are in the table below.
      </EmptyState>
    );
  }
  return null;
}

/** For what arrived after the final payment of a closing that goes on. */
function LastFinal({
  coin,
  next: { from, lastIsPaid },
  isServed,
}: {
  coin: Coin;
  next: NextFinal;
  isServed: boolean;
}) {
  return (
    <Notice
      title={`You have ${lastIsPaid ? "had" : "requested"} your final payment of ${coinWords[coin]}`}
    >
      {lastIsPaid
        ? null
        : "Its state is in the table below, where you can cancel it until it is in a batch. "}
      From <When at={from} plain /> you can request another one.
      {isServed ? " Until then a withdrawal has the usual fee, minimum and limit." : null}
    </Notice>
  );
}
