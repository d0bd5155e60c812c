import { Link } from "react-router";
import { formatAge, formatUtc } from "#app/ui/figures/format-time.ts";
import { Term } from "#app/ui/figures/term.tsx";
import { formatPrice } from "#core/price.ts";
import { formatCount } from "../home/network-words.ts";
import type { Observed } from "./load-assumptions.ts";
import styles from "./plans.module.css";

/** An age that app/site/enhance/main.ts keeps true. */
export function Seen({ at, ageMs }: { at: Date; ageMs: number }) {
  return (
    <time dateTime={at.toISOString()} title={formatUtc(at)} data-age-ms={ageMs}>
      {formatAge(new Date(0), new Date(ageMs))}
    </time>
  );
}

/** Where price and difficulty come from, and how old they are; or that they are not known. */
export function ObservedLine({ observed }: { observed: Observed }) {
  const { price, network, networkFresh } = observed;
  const simulated = price?.simulated || network?.simulated;
  return (
    <p className={styles.observed}>
      {simulated ? <strong>Simulated. </strong> : null}
      {price?.fresh ? (
        <>
          <Link to="/prices#BTC">Bitcoin at {formatPrice(price.usdE8)}</Link>, as {price.sources}{" "}
          exchanges agreed <Seen at={price.observedAt} ageMs={price.ageMs} />.{" "}
        </>
      ) : (
        <>There is no fresh price of bitcoin at the moment. </>
      )}
      {network && networkFresh ? (
        <>
          <Term of="difficulty" /> {formatCount(network.difficulty)} at block{" "}
          {network.height.toLocaleString("en-US")}, seen{" "}
          <Seen at={network.observedAt} ageMs={network.ageMs} /> · {network.host}.
        </>
      ) : (
        <>The network's difficulty is not known at the moment.</>
      )}
    </p>
  );
}
