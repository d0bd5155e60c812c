import { expect, test } from "vitest";
import { readConfig } from "../../platform/config/read-config.ts";
import { slipMethods } from "./slip-methods.ts";

const zpub =
  "[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
const chain = { traces: true, usdtContract: "0x5fbdb2315678afecb367f032d93f642f64180aa3" };
const wallet = {} as never;
const all = {
  coins: ["BTC", "ETH", "USDT"] as const,
  slips: "when-needed" as const,
  wallets: { bitcoin: wallet, ethereum: wallet },
  bitcoinChain: { url: "http://127.0.0.1:8332" },
  ethereumChain: chain as never,
};

test.each([
  [
    "nothing is watched",
    { bitcoinChain: null, ethereumChain: null },
    ["Bitcoin", "Ethereum", "USDT"],
  ],
  ["every payment is credited", {}, []],
  [
    "every payment is credited, and slips are wanted",
    { slips: "always" as const },
    ["Bitcoin", "Ethereum", "USDT"],
  ],
  [
    "all customers share one address",
    { wallets: { bitcoin: null, ethereum: null } },
    ["Bitcoin", "Ethereum", "USDT"],
  ],
  [
    "the node does not trace",
    { ethereumChain: { ...chain, traces: false } as never },
    ["Ethereum"],
  ],
  [
    "no token counts as USDT",
    { ethereumChain: { ...chain, usdtContract: null } as never },
    ["USDT"],
  ],
  ["ether and USDT are off", { coins: ["BTC"] as const, ethereumChain: null }, []],
  [
    "ether and USDT are off, and nothing is watched",
    { coins: ["BTC"] as const, bitcoinChain: null },
    ["Bitcoin"],
  ],
])("takes slips where %s", (_, change, methods) => {
  expect(slipMethods({ ...all, ...change })).toEqual(methods);
});

test("starts a business in bitcoin alone on mainnet, without an Ethereum address", () => {
  const env = { DATA_DIR: "/nowhere", NETWORK: "mainnet", APP_URL: "https://mining.example.com" };
  const secrets = { AUTH_SECRET: "x".repeat(32), DOCUMENT_KEYS: `first:${"A".repeat(43)}` };
  const given = { ...env, ...secrets, DEPOSIT_WALLET_BITCOIN: zpub };
  const all = { ...given, COINS: "BTC,ETH,USDT" };
  expect(() => readConfig(all)).toThrow("DEPOSIT_ADDRESS_ETHEREUM must hold your own address");
  // Also where nothing is said of coins.
  for (const config of [readConfig(given), readConfig({ ...given, COINS: "BTC" })]) {
    expect(config.coins).toEqual(["BTC"]);
    expect(config.depositAddresses).toEqual({ bitcoin: null, ethereum: null });
  }
});

test("offers ether and USDT where something of Ethereum is set up, and where nothing is set up at all", () => {
  const secret = { AUTH_SECRET: "x".repeat(32) };
  const node = { BITCOIN_RPC_URL: "http://u:p@127.0.0.1:8332" };
  const coinsOf = (env: Record<string, string>) => readConfig({ ...secret, ...env }).coins;
  expect(coinsOf({})).toEqual(["BTC", "ETH", "USDT"]);
  expect(coinsOf(node)).toEqual(["BTC"]);
  expect(coinsOf({ ...node, ETHEREUM_RPC_URL: "http://127.0.0.1:8545" })).toHaveLength(3);
  expect(coinsOf({ ...node, COINS: "BTC,USDT" })).toEqual(["BTC", "USDT"]);
});
