import { Link } from "react-router";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { Term } from "#app/ui/figures/term.tsx";
import { toDecimal } from "#core/money.ts";
import type { NetworkNow } from "../home/home-facts.tsx";
import { formatCount } from "../home/network-words.ts";
import { expectedSatsPerDay } from "./expected-sats-per-day.ts";
import styles from "./reading.module.css";
import { Figure, Section, Source } from "./reading-page.tsx";
import { RisingDifficulty } from "./rising-difficulty.tsx";
import { ShareOfAFleet } from "./share-of-a-fleet.tsx";

/** Round figures to work with. They are no day's figures. */
const example = { hashrateThs: 100, difficulty: 150e12, blockRewardSats: 312_500_000 };

/** Machines, pool, payout, share, difficulty: how hashrate becomes bitcoin. */
export function HowMiningWorks({ network }: { network: NetworkNow | null }) {
  return (
    <Section id="mining" title="How hosted mining works">
      <h3>The machine</h3>
      <p>
        A mining machine does one thing: it computes hashes, guesses at a number that makes a block
        of transactions valid. Its speed is its hashrate; 1 TH/s is a million million guesses a
        second. It turns nearly all of its power into heat, around the clock, which is why it runs
        in a hall with strong power lines and fans.
      </p>
      <h3>The block and its reward</h3>
      <p>
        The miner who finds the number may write the block and receives the subsidy and the fees of
        its transactions. The subsidy has been 3.125 BTC since block 840,000 and halves every
        210,000 blocks.{" "}
        <Source href="https://github.com/bitcoin/bitcoin/blob/master/src/kernel/chainparams.cpp">
          Source: Bitcoin Core, nSubsidyHalvingInterval
        </Source>
      </p>
      <h3>The pool</h3>
      <p>
        Alone, one machine may wait for years. Machines therefore work together in a pool, which
        pays each operator for the work that it measured, and keeps a fee.
      </p>
      <h3>The payout and your share</h3>
      <p>
        The pool pays the operator in bitcoin. The proof is a transaction that you can look up, or
        the pool's own statement, whose hash is on your receipt. Your share is the payout, times
        your hashrate, divided by the hashrate that was delivered, or by all that was sold where
        that is more, rounded down; the remainder is carried to the next day. Without a payout there
        is no credit. Each credit has a receipt, which you can recompute:{" "}
        <Link to="/receipt">try the sample receipt</Link>.
      </p>
      <Figure caption="A share of the machines is the same share of what the pool paid for all of them. The credit becomes an entry in the ledger.">
        <ShareOfAFleet />
      </Figure>
      <h3>The difficulty</h3>
      <p>
        The network makes the guessing harder when more machines take part, and easier when some
        leave, every 2,016 blocks, so that a block takes ten minutes on average.{" "}
        <Source href="https://bitcoin.org/bitcoin.pdf">
          Source: Bitcoin whitepaper, section 4
        </Source>
        ,{" "}
        <Source href="https://developer.bitcoin.org/devguide/block_chain.html#proof-of-work">
          Bitcoin developer guide
        </Source>
        . The same hashrate then earns less, or more.
      </p>
      <Figure caption="When difficulty rises, the same machines find fewer bitcoin a day. Drawn to explain, not to scale.">
        <RisingDifficulty />
      </Figure>
      <Expected network={network} />
    </Section>
  );
}

/** The formula to check a credit against. */
function Expected({ network }: { network: NetworkNow | null }) {
  const sats = expectedSatsPerDay(example);
  return (
    <>
      <h3>What the network would pay</h3>
      <p>
        What a hashrate can be expected to find in a day follows from the protocol. It is the{" "}
        <Term of="reference">reference</Term> for every credit, not a promise of one.
      </p>
      <div className={styles.formula}>
        <p>
          hashes per second × 86,400 × (subsidy + fees per block) ÷ (difficulty × 2<sup>32</sup>)
        </p>
        <p>
          An example with round figures, not a forecast: {example.hashrateThs} TH/s at a difficulty
          of 150 trillion and 3.125 BTC a block, without fees, is about{" "}
          {sats.toLocaleString("en-US")} satoshi a day ({(sats / 1e8).toFixed(8)} BTC), before any
          cost.
        </p>
        {network ? <AsLastSeen network={network} /> : null}
      </div>
    </>
  );
}

/** The same with the network as it was last observed. Left out while nothing has been. */
function AsLastSeen({ network }: { network: NetworkNow }) {
  const { difficulty, subsidySats, feesPerBlockSats, height, host, simulated } = network;
  const sats = expectedSatsPerDay({
    hashrateThs: example.hashrateThs,
    difficulty: Number(difficulty),
    blockRewardSats: Number(subsidySats + feesPerBlockSats),
  });
  return (
    <p>
      {simulated ? <strong>Simulated. </strong> : null}At block {height.toLocaleString("en-US")},
      with a difficulty of {formatCount(difficulty)} and{" "}
      {toDecimal(subsidySats + feesPerBlockSats, "BTC")} BTC a block, the same {example.hashrateThs}{" "}
      TH/s would be {sats.toLocaleString("en-US")} satoshi a day, before any cost. Seen on{" "}
      <time dateTime={network.observedAt.toISOString()}>{formatUtc(network.observedAt)}</time>, from{" "}
      {host}.
    </p>
  );
}
