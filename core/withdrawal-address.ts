import { checkBitcoinAddress, type Network } from "./address.ts";

/** The contract of USDT on Ethereum's main network, which people take for an address to be paid at. */
export const usdtContract = "0xdac17f958d2ee523a2206206994597c13d831ec7";

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

/** A typed Bitcoin address in one spelling: without spaces around it, a payment link's address alone, bech32 in small letters. */
export function readAddress(typed: string): string {
  const alone = typed
    .trim()
    .replace(/^bitcoin:/i, "")
    .replace(/\?.*$/s, "");
  return /^(bc|tb|bcrt)1/i.test(alone) && alone === alone.toUpperCase()
    ? alone.toLowerCase()
    : alone;
}

/** What is wrong with a typed address for bitcoin, in words that help; null when nothing is. */
export function explainAddress(typed: string, network: Network): string | null {
  const address = readAddress(typed);
  if (address === "") return "Enter a Bitcoin address";
  const other = elsewhere.find(({ looks }) => looks.test(address));
  return other ? other.say : explainFault(address, network);
}

/** What is no Bitcoin address although somebody may well have copied it, and what to do instead. */
const elsewhere: Array<{ looks: RegExp; say: string }> = [
  {
    looks: new RegExp(`^${usdtContract}$`, "i"),
    say: "This is the contract of USDT itself, not a wallet: coins sent to it are lost. Enter a Bitcoin address.",
  },
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
    say: "This is a private key. Show it to nobody, and move what it holds: enter an address.",
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
        ? "This kind of address is not in use on Bitcoin yet: anybody could take what is sent to it."
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
