import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { type FetcherWithComponents, Form, useNavigation } from "react-router";
import { useHydrated } from "#app/ui/browser/use-hydrated.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { amountInWords, formatAmount } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import type { Quote } from "#server/contracts/find-quote.ts";
import type { TermsInForce } from "./accept-terms.tsx";
import { Countdown, lowSeconds } from "./countdown.tsx";
import styles from "./mining.module.css";

/** The tick, where it is still to be made, is elsewhere on the page. */
export const purchaseForm = "purchase";

/** A second click, or one that was meant for the price before, buys nothing. */
const settleMs = 1000;
/** So often a price is got automatically: ten minutes. */
const mostRefreshes = 20;

interface PurchaseBarProps {
  quote: Quote;
  /** When the server gave the price, by its clock. */
  at: Date;
  terms: TermsInForce;
  startsOn: string;
  isAccepted: boolean;
  error: string | null;
  /** Whether no one knows if it was bought at this price. */
  isUnsure: boolean;
  refresh: FetcherWithComponents<unknown>;
}

/**
 * Price, seconds and the button, in a bar at the foot of the screen: whoever reads the page always sees how long it is held.
 * One button for both acts, so that a keyboard's focus stays where it is when a price ends and when a new one comes.
 */
export function PurchaseBar(props: PurchaseBarProps) {
  const { quote, at, terms, startsOn, isAccepted, error, refresh } = props;
  const hydrated = useHydrated();
  const { formMethod, state } = useNavigation();
  const [endedId, setEndedId] = useState(at >= quote.expiresAt ? quote.quoteId : "");
  const isBuying = formMethod === "POST";
  const isOpen = isBuying || props.isUnsure;
  const hasEnded = endedId === quote.quoteId && !isOpen;
  const isGetting = refresh.state !== "idle";
  const isBusy = isBuying || isGetting;
  const isSettling = useSettling(`${quote.quoteId} ${startsOn} ${terms.sha256}`, isBusy);
  // The page is read again with it: days, terms, what is available and the right to a refund change, too.
  const getPrice = useCallback(
    () => refresh.submit({ intent: "new-price" }, { method: "post" }),
    [refresh.submit],
  );
  const auto = useAutomaticPrice(hasEnded, error, getPrice);
  const { said, say } = useSaid(quote, startsOn);
  const low = useCallback(() => say(`${lowSeconds} seconds left at this price.`), [say]);
  const open = useRef(isOpen);
  useEffect(() => {
    open.current = isOpen;
  }, [isOpen]);
  const end = useCallback(() => {
    setEndedId(quote.quoteId);
    say(`The price has expired.${open.current ? "" : " You were not charged."}`);
  }, [say, quote.quoteId]);
  const submit = (event: FormEvent) => {
    if (isBusy || isSettling) return event.preventDefault();
    if (!hasEnded) return;
    event.preventDefault();
    void getPrice();
  };
  return (
    <div className={styles.purchase}>
      <FormAlert errors={error ? [error] : null} />
      <Form method="post" id={purchaseForm} className={styles.purchaseRow} onSubmit={submit}>
        <input type="hidden" name="quoteId" value={quote.quoteId} />
        <input type="hidden" name="startsOn" value={startsOn} />
        <input type="hidden" name="termsVersion" value={terms.version} />
        <input type="hidden" name="termsSha256" value={terms.sha256} />
        {isAccepted ? <input type="hidden" name="accepted" value="on" /> : null}
        <div className={styles.purchasePrice}>
          <Amount units={quote.units} asset={quote.coin} plain />
          <span className={styles.quiet}>
            <Usd cents={quote.usdCents} />
          </span>
        </div>
        {hydrated ? (
          <Countdown
            key={quote.quoteId}
            expiresAt={quote.expiresAt}
            now={at}
            onLow={low}
            onEnd={end}
          />
        ) : (
          <p className={styles.countdown}>
            Held until <When at={quote.expiresAt} plain />
          </p>
        )}
        <Button
          type="submit"
          name="intent"
          value={hasEnded ? "new-price" : "buy"}
          className={styles.purchaseButton}
          aria-disabled={isBusy || isSettling || undefined}
          aria-busy={isBusy}
          formNoValidate={hasEnded}
        >
          {buttonWords(quote, {
            // The page that was refused is being read again.
            isBuying: isBuying && (state === "submitting" || error === null),
            isGetting,
            hasEnded,
          })}
        </Button>
      </Form>
      {hydrated ? (
        <CheckField
          className={styles.auto}
          label="Renew the price automatically"
          checked={auto.isOn}
          onChange={(event) => auto.set(event.currentTarget.checked)}
        />
      ) : null}
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </div>
  );
}

function buttonWords(
  { units, coin }: Quote,
  now: { isBuying: boolean; isGetting: boolean; hasEnded: boolean },
): string {
  if (now.isBuying) return "Buying…";
  if (now.isGetting) return "Getting a price…";
  return now.hasEnded ? "Get a new price" : `Buy for ${formatAmount(units, coin)} ${coin}`;
}

/**
 * For a moment after a price, a first day or other terms have come nothing is bought: a click may have been meant for those before, or be
 * the second of a double click on "Get a price". What the server drew whole has no earlier click.
 */
function useSettling(shown: string, isBusy: boolean): boolean {
  const isFromServer = !useHydrated();
  const [settled, setSettled] = useState(isFromServer ? shown : "");
  useEffect(() => {
    if (isBusy) return;
    const timer = setTimeout(() => setSettled(shown), settleMs);
    return () => clearTimeout(timer);
  }, [shown, isBusy]);
  return settled !== shown;
}

/** What a screen reader is told: with few seconds left, at the end, of a further price, and of another first day. */
function useSaid(quote: Quote, startsOn: string) {
  const [said, say] = useState("");
  const before = useRef(quote);
  const dayBefore = useRef(startsOn);
  useEffect(() => {
    const { units, coin, quoteId } = before.current;
    if (quoteId === quote.quoteId) return;
    before.current = quote;
    const than = quote.units === units ? "the same" : quote.units > units ? "more" : "less";
    say(`New price: ${amountInWords(quote.units, coin)}, ${than}.`);
  }, [quote]);
  useEffect(() => {
    if (dayBefore.current === startsOn) return;
    dayBefore.current = startsOn;
    say(`The first day of the contract is now ${formatDay(startsOn)}.`);
  }, [startsOn]);
  return { said, say };
}

/** Gets further prices without being asked, while the page is looked at, as long as none is refused. */
function useAutomaticPrice(hasEnded: boolean, error: string | null, getPrice: () => unknown) {
  const [isOn, set] = useState(false);
  const count = useRef(0);
  useEffect(() => {
    if (error) set(false);
  }, [error]);
  useEffect(() => {
    if (!isOn || !hasEnded) return;
    const next = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", next);
      count.current += 1;
      if (count.current > mostRefreshes) set(false);
      else getPrice();
    };
    document.addEventListener("visibilitychange", next);
    next();
    return () => document.removeEventListener("visibilitychange", next);
  }, [isOn, hasEnded, getPrice]);
  const choose = (on: boolean) => {
    count.current = 0;
    set(on);
  };
  return { isOn, set: choose };
}
