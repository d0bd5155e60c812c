import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError, readConfig, secretInDataDir } from "./config.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "assay-config-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const read = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env });

test("has a default for everything", () => {
  expect(read({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    appUrl: "http://127.0.0.1:3000",
    network: "regtest",
    role: "all",
    databaseUrl: null,
    smtpUrl: null,
  });
});

test("generates a secret once and keeps it", () => {
  expect(read({}).authSecret).toHaveLength(43);
  expect(read({}).authSecret).toBe(read({}).authSecret);
});

test("makes one secret of what two processes make at once, and refuses one that was cut off", () => {
  const fresh = path.join(dataDir, "fresh");
  const made = secretInDataDir(fresh, "auth-secret");
  expect(readdirSync(path.join(fresh, "secrets"))).toEqual(["auth-secret"]);
  expect(secretInDataDir(fresh, "auth-secret")).toBe(made);
  writeFileSync(path.join(fresh, "secrets", "auth-secret"), "");
  expect(() => readConfig({ DATA_DIR: fresh })).toThrow(ConfigError);
  expect(() => readConfig({ DATA_DIR: fresh })).toThrow("auth-secret");
});

test.each([
  ["::1", "http://[::1]:3000"],
  ["[::1]", "http://[::1]:3000"],
  ["192.0.2.1", "http://192.0.2.1:3000"],
])("on HOST=%s customers see %s", (HOST, appUrl) => {
  expect(read({ HOST }).appUrl).toBe(appUrl);
  expect(URL.canParse(read({ HOST }).appUrl)).toBe(true);
});

test("refuses an APP_URL with more than an origin: links and cookies would not fit it", () => {
  expect(() => read({ APP_URL: "https://example.com/mining" })).toThrow("APP_URL");
  expect(() => read({ APP_URL: "https://me:secret@example.com" })).toThrow("APP_URL");
  expect(read({ APP_URL: "https://Example.com/" }).appUrl).toBe("https://example.com");
});

test.each([
  ["PORT", "three thousand"],
  ["PORT", "70000"],
  ["APP_URL", "mining.example.com"],
  ["DATABASE_URL", "mysql://127.0.0.1/assay"],
  ["SMTP_URL", "http://mail.example.com"],
  ["SOURCE_URL", "http://code.example.com/assay"],
  ["SOURCE_URL", "https://me:secret@code.example.com/assay"],
  ["SOURCE_URL", "javascript:alert(1)"],
  ["AUTH_SECRET", "short"],
  ["LOG_LEVEL", "loud"],
  ["NETWORK", "moonnet"],
  ["ROLE", "boss"],
  ["DEMO", "yes"],
  ["TRUSTED_PROXIES", "-1"],
  ["DEPOSIT_ADDRESS_BITCOIN", "bc1notforregtest"],
  ["DEPOSIT_ADDRESS_BITCOIN", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081"],
  ["DEPOSIT_ADDRESS_ETHEREUM", "0x12"],
  ["DEPOSIT_ADDRESS_ETHEREUM", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"],
  ["S3_ENDPOINT", "s3.example.com"],
  ["PRICE_SOURCES", "kraken,mtgox"],
  ["PRICE_SOURCES", "kraken,kraken"],
  ["PRICE_SOURCES", "kraken=ftp://127.0.0.1,coinbase"],
  ["PRICE_SOURCES", "kraken=https://prices.example.com?key=1,coinbase"],
  ["PRICE_SOURCES_NEEDED", "4"],
  ["PRICE_SOURCES_NEEDED", "0"],
  ["PRICE_POLL_SECONDS", "1"],
  ["BITCOIN_NETWORK_SOURCE", "mempool.space"],
  ["BRAIINS_POOL_URL", "pool.example.com"],
  ["BRAIINS_POOL_TOKEN", "two words"],
  ["EMBEDDED_WIDGETS", "ticker-tape,casino"],
  ["EMBEDDED_WIDGETS_STAND_IN", "http://evil.example.com"],
])("refuses %s=%s in one line that names it", (name, value) => {
  expect(() => read({ [name]: value })).toThrow(ConfigError);
  expect(() => read({ [name]: value })).toThrow(name);
  expect(() => read({ [name]: value })).not.toThrow("\n");
});

test("does not repeat a database password in its complaint", () => {
  expect(() => read({ DATABASE_URL: "mysql://root:hunter2@127.0.0.1/x" })).not.toThrow("hunter2");
});

test("refuses mainnet until the operator has given his own addresses", () => {
  expect(() => read({ NETWORK: "mainnet" })).toThrow(
    "DEPOSIT_ADDRESS_BITCOIN must hold your own address",
  );
});

test("refuses published examples as addresses on mainnet", () => {
  const bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  const mainnet = { NETWORK: "mainnet", DEPOSIT_ADDRESS_BITCOIN: bitcoin };
  expect(() => read(mainnet)).toThrow("DEPOSIT_ADDRESS_BITCOIN is a published example");
});

test("embeds nothing of the charting provider's unless told which", () => {
  expect(read({}).embeds.names).toEqual([]);
  expect(read({ EMBEDDED_WIDGETS: "market-overview, ticker-tape" }).embeds).toEqual({
    names: ["ticker-tape", "market-overview"],
    scriptOrigin: "https://s3.tradingview.com",
    frameOrigins: ["https://www.tradingview-widget.com", "https://s.tradingview.com"],
  });
});

test("asks the exchanges that are named, where they are said to be, or none", () => {
  expect(read({}).prices).toMatchObject({ needed: 2, pollSeconds: 15 });
  expect(read({}).prices.sources.map(({ name }) => name)).toEqual([
    "kraken",
    "coinbase",
    "bitstamp",
  ]);
  const PRICE_SOURCES = "bitstamp, kraken=http://127.0.0.1:99/k/";
  expect(read({ PRICE_SOURCES }).prices.sources).toEqual([
    { name: "bitstamp", url: "https://www.bitstamp.net" },
    { name: "kraken", url: "http://127.0.0.1:99/k" },
  ]);
  const off = read({ PRICE_SOURCES: "off", BITCOIN_NETWORK_SOURCE: "off" });
  expect([off.prices.sources, off.bitcoinNetworkUrl]).toEqual([[], null]);
});

test("on mainnet nobody on the way may change what an exchange says", () => {
  const mainnet = {
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  };
  const from = (url: string) => read({ ...mainnet, PRICE_SOURCES: `kraken=${url},coinbase` });
  expect(() => from("http://prices.example.com")).toThrow("PRICE_SOURCES must be https on mainnet");
  expect(from("https://prices.example.com").prices.sources).toHaveLength(2);
  expect(from("http://127.0.0.1:8080").prices.sources).toHaveLength(2);
});

test("asks Braiins Pool only with a token, and on mainnet only where nobody can change what it says", () => {
  expect(read({}).braiins).toBeNull();
  expect(read({ BRAIINS_POOL_URL: "https://pool.example.com" }).braiins).toBeNull();
  const BRAIINS_POOL_TOKEN = "read-only";
  expect(read({ BRAIINS_POOL_TOKEN }).braiins).toEqual({
    url: "https://pool.braiins.com",
    token: "read-only",
  });
  const mainnet = {
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  };
  const at = (BRAIINS_POOL_URL: string) => () =>
    read({ ...mainnet, BRAIINS_POOL_TOKEN, BRAIINS_POOL_URL }).braiins?.url;
  expect(at("http://pool.example.com")).toThrow("BRAIINS_POOL_URL must be https on mainnet");
  expect(at("https://pool.example.com")()).toBe("https://pool.example.com");
});

test("on mainnet passwords do not travel in the clear", () => {
  const at = (env: Record<string, string>) => () => read({ NETWORK: "mainnet", ...env });
  const refusal = "APP_URL must be https on mainnet";
  expect(at({ APP_URL: "http://mining.example.com" })).toThrow(refusal);
  expect(at({ HOST: "0.0.0.0" })).toThrow(refusal);
  // The next thing that mainnet asks for.
  const passed = "DEPOSIT_ADDRESS_BITCOIN must hold your own address";
  expect(at({ APP_URL: "https://mining.example.com" })).toThrow(passed);
  expect(at({})).toThrow(passed);
});

test("refuses a demo on mainnet", () => {
  expect(() => read({ NETWORK: "mainnet", DEMO: "1" })).toThrow("DEMO");
});

test("names in .env.example every variable that the product reads, and no other", () => {
  const example = readFileSync(".env.example", "utf8");
  const documented = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  const source = readFileSync("server/platform/config.ts", "utf8");
  const readNames = [...source.matchAll(/"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"/g)].map(
    (match) => match[1],
  );
  const notVariables = new Set(["BTC", "ETH", "EEXIST", "EPERM", "ENOTSUP"]);
  expect(new Set(documented)).toEqual(
    new Set(readNames.filter((name) => !notVariables.has(name ?? ""))),
  );
});
