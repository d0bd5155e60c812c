import type { Coin } from "../asset.ts";
import {
  checkBitcoinAddress,
  checkEthereumAddress,
  type Network,
  toChecksumAddress,
} from "./address.ts";

/** The contract of USDT on Ethereum's main network. */
export const usdtContract = "0xdac17f958d2ee523a2206206994597c13d831ec7";

/** Contracts there that people take for an address to be paid at. */
const knownTokens: Record<string, string> = {
  [usdtContract]: "USDT",
  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48": "USDC",
  "0x6b175474e89094c44da98b954eedeac495271d0f": "DAI",
  "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": "wrapped Ether",
};

const networkNames: Record<Network, string> = {
  regtest: "the regression test network",
  testnet: "a test network",
  mainnet: "Bitcoin's main network",
};
const prefixes: Record<Network, string> = {
  regtest: "bcrt1",
  testnet: "tb1",
  mainnet: "bc1, 3 or 1",
};

/** What an address is checked against. */
export interface AddressRules {
  coin: Coin;
  network: Network;
  /** The contract of USDT that we pay through; null: none is configured. */
  usdtContract: string | null;
}

/**
 * A typed address in one spelling: without spaces around it, a payment link's address alone, bech32 in small letters, an
 * Ethereum address with its checksum.
 */
export function readAddress(typed: string, coin: Coin): string {
  const alone = typed
    .trim()
    .replace(/^(bitcoin|ethereum):(pay-)?/i, "")
    .replace(/\?.*$/s, "");
  if (coin === "BTC") return /^(BC|TB|BCRT)1[A-Z0-9]+$/.test(alone) ? alone.toLowerCase() : alone;
  const plain = alone.replace(/^0X/, "0x").replace(/^(0x[0-9a-fA-F]{40})@\d+$/, "$1");
  return checkEthereumAddress(plain) === null ? toChecksumAddress(plain) : plain;
}

/** What is wrong with a typed address for a coin, in words that help; null when nothing is. */
export function explainAddress(typed: string, rules: AddressRules): string | null {
  const address = readAddress(typed, rules.coin);
  if (address === "") return `Enter ${anAddress(rules.coin)}`;
  return rules.coin === "BTC"
    ? explainBitcoin(address, rules.network)
    : explainEthereum(address, rules.coin, rules.usdtContract);
}

/** Whether a letter of it could be wrong without anybody noticing: its wallet gave it without a checksum. */
export function lacksChecksum(typed: string): boolean {
  const hex = /0x([0-9a-fA-F]{40})/i.exec(typed)?.[1];
  return hex !== undefined && (hex === hex.toLowerCase() || hex === hex.toUpperCase());
}

const anAddress = (coin: Coin) => (coin === "BTC" ? "a Bitcoin address" : "an Ethereum address");

function explainBitcoin(address: string, network: Network): string | null {
  const token = knownTokens[address.toLowerCase()];
  if (token) {
    return `This is the contract of ${token} itself, not a wallet: coins sent to it are lost. Enter a Bitcoin address.`;
  }
  const other = elsewhere.find(({ looks }) => looks.test(address));
  return other ? other.say : explainFault(address, network);
}

function explainEthereum(address: string, coin: Coin, ours: string | null): string | null {
  const lower = address.toLowerCase();
  const token = lower === ours?.toLowerCase() ? "USDT" : knownTokens[lower];
  if (token) {
    return `This is the contract of ${token} itself, not a wallet: coins sent to it are lost. Copy the address from the page of your wallet that says Receive.`;
  }
  if (isBurnt(lower)) return "No one has the key of this address: coins sent to it are lost.";
  const other = notEthereum.find(({ looks }) => looks.test(address));
  if (other) return other.say(coin);
  switch (checkEthereumAddress(address)) {
    case null:
      return null;
    case "checksum":
      return "A letter of this address is wrong: its checksum does not fit. Copy it again.";
    default:
      return explainLength(address);
  }
}

/** The zero address, the precompiled contracts after it, and the addresses that are used to destroy coins. */
function isBurnt(lower: string): boolean {
  return /^0x0{36}[0-9a-f]{4}$/.test(lower) || /^0x(0*dead|f{40}|(dead){10})$/.test(lower);
}

function explainLength(address: string): string {
  const digits = /^0x([0-9a-fA-F]+)$/.exec(address)?.[1]?.length;
  return digits === undefined
    ? "This is no Ethereum address. Copy it from your wallet as a whole: it begins with 0x."
    : `An Ethereum address has 40 digits after 0x; this has ${digits}. Copy it as a whole.`;
}

/** What is no Ethereum address although somebody may well have copied it, and what to do instead. */
const notEthereum: Array<{ looks: RegExp; say: (coin: Coin) => string }> = [
  {
    looks: /^(bc|tb|bcrt)1|^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/i,
    say: (coin) =>
      `This is a Bitcoin address. ${coin} leaves on Ethereum: enter an Ethereum address.`,
  },
  {
    looks: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    say: (coin) =>
      `This is a Tron address. We pay ${coin} on Ethereum (ERC-20) only: ask your wallet for its address there.`,
  },
  {
    looks: /^(0x)?[0-9a-f]{64}$/i,
    say: () =>
      "This is a transaction id or a private key, not an address. Never show a private key to anyone.",
  },
  {
    looks: /^[a-z0-9-]+(\.[a-z0-9-]+)*\.(eth|xyz|crypto|com)$/i,
    say: () =>
      "Names can change their owner, so we pay addresses. Open the name in your wallet and copy the address behind it.",
  },
  {
    looks: /^[xyztuv]prv/,
    say: () =>
      "This is a private key. Never show it to anyone, and move its coins to another wallet. Enter an address.",
  },
  {
    looks: /^(bnb1|cosmos1|ltc1|addr1|r[1-9A-HJ-NP-Za-km-z]{24,34}$)/,
    say: () =>
      "This is an address of another network. Ask your wallet for its address on Ethereum.",
  },
  {
    looks: /^[0-9a-f]{40}$/i,
    say: () => "0x is missing in front. Copy it from your wallet as a whole.",
  },
  { looks: /\s/, say: () => "An address has no spaces in it. Copy it as a whole." },
];

/** What is no Bitcoin address although somebody may well have copied it, and what to do instead. */
const elsewhere: Array<{ looks: RegExp; say: string }> = [
  {
    looks: /^0x/i,
    say: "This is an Ethereum address. Bitcoin sent there would be lost: enter a Bitcoin address.",
  },
  {
    looks: /^ln(bc|tb|bcrt)\d/i,
    say: "This is a Lightning invoice. We pay on the chain: ask your wallet for a Bitcoin address.",
  },
  {
    looks: /^[xyztuv]prv|^[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$/,
    say: "This is a private key. Never show it to anyone, and move its coins to another wallet. Enter an address.",
  },
  {
    looks: /^[xyztuv]pub/,
    say: "This is a wallet's public key, not an address. Ask your wallet for an address to receive.",
  },
  {
    looks: /^ltc1|^[LM][1-9A-HJ-NP-Za-km-z]{25,34}$/,
    say: "This looks like a Litecoin address. Enter a Bitcoin address.",
  },
  {
    looks: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    say: "This looks like a Tron address. Enter a Bitcoin address.",
  },
  { looks: /\s/, say: "An address has no spaces in it. Copy it as a whole." },
];

function explainFault(address: string, network: Network): string | null {
  switch (checkBitcoinAddress(address, network)) {
    case null:
      return isFromTheFuture(address)
        ? "This kind of address is not in use on Bitcoin yet: anyone could take coins sent to it."
        : null;
    case "checksum":
      return "A letter of this address is wrong or missing: its checksum does not fit. Copy it again.";
    case "wrong-network":
      return `This address is of another network. We pay on ${networkNames[network]}: addresses begin with ${prefixes[network]}.`;
    default:
      return "This is no Bitcoin address. Copy it from your wallet as a whole.";
  }
}

/** Witness versions from 2 on (BIP 141 leaves them for later). */
function isFromTheFuture(address: string): boolean {
  const version = /^(?:bc|tb|bcrt)1(.)/i.exec(address)?.[1]?.toLowerCase();
  return version !== undefined && version !== "q" && version !== "p";
}
