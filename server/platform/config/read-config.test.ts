import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError } from "../config.ts";
import { readConfig } from "./read-config.ts";
import { secretInDataDir } from "./secrets.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "assay-config-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const read = (env: Record<string, string>) =>
  readConfig({ DATA_DIR: dataDir, ...(env["NETWORK"] === "mainnet" && { APP_URL }), ...env });
const APP_URL = "https://mining.example.com";

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

test("answers with a process for each processor, at most four, unless it is told how many", () => {
  expect(read({}).webProcesses).toBe(Math.min(4, availableParallelism()));
  expect(read({ WEB_CONCURRENCY: "7" }).webProcesses).toBe(7);
  expect(read({ WEB_CONCURRENCY: "0" }).webProcesses).toBe(0);
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
  ["AUTH_SECRET_BEFORE", "short"],
  ["LOG_LEVEL", "loud"],
  ["NETWORK", "moonnet"],
  ["ROLE", "boss"],
  ["WEB_CONCURRENCY", "auto"],
  ["DEMO", "yes"],
  ["TRUSTED_PROXIES", "-1"],
  ["DEPOSIT_ADDRESS_BITCOIN", "bc1notforregtest"],
  ["DEPOSIT_ADDRESS_BITCOIN", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081"],
  ["DEPOSIT_ADDRESS_ETHEREUM", "0x12"],
  ["DEPOSIT_WALLET_BITCOIN", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"],
  ["DEPOSIT_WALLET_ETHEREUM", "wpkh(xpub)"],
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
  ["CLAMD", "clamd.example.com"],
  ["CLAMD", "http://127.0.0.1:3310"],
  ["CLAMD", "tcp://127.0.0.1"],
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

test("refuses mainnet until the operator has given their own addresses", () => {
  expect(() => read({ NETWORK: "mainnet" })).toThrow(
    "DEPOSIT_ADDRESS_BITCOIN must hold your own address",
  );
});

// The account key of BIP 84's test vectors.
const publishedZpub =
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
test("stops for a private key, and does not repeat it", () => {
  const key = `zprv${"9".repeat(107)}`;
  const env = { DEPOSIT_WALLET_BITCOIN: `wpkh(${key}/0/*)` };
  expect(() => read(env)).toThrow("DEPOSIT_WALLET_BITCOIN holds a PRIVATE key");
  expect(() => read(env)).not.toThrow(key);
});

test("needs no fixed address where there is a wallet", () => {
  const env = { NETWORK: "mainnet", DEPOSIT_WALLET_BITCOIN: publishedZpub };
  expect(() => read({ ...env, COINS: "BTC,ETH" })).toThrow(
    "DEPOSIT_ADDRESS_ETHEREUM must hold your own address",
  );
  const { wallets, depositAddresses } = read({
    ...env,
    APP_URL: "https://mining.example.com",
    DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  });
  expect(wallets.bitcoin?.script).toBe("p2wpkh");
  expect(wallets.ethereum).toBeNull();
  expect(depositAddresses.bitcoin).toBeNull();
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
  expect(() => read({ ...mainnet, PRICE_SOURCES_NEEDED: "1" })).toThrow(
    "PRICE_SOURCES_NEEDED must be 2 or more on mainnet",
  );
});

test("on mainnet no document crosses a network in the clear to be scanned, nor figures of the network", () => {
  const mainnet = {
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  };
  const at = (env: Record<string, string>) => () => read({ ...mainnet, ...env });
  expect(at({ CLAMD: "tcp://clamd.example.com:3310" })).toThrow("CLAMD must be a socket or tcp://");
  for (const CLAMD of ["/run/clamd.ctl", "tcp://127.0.0.1:3310", "tcp://[::1]:3310"]) {
    expect(at({ CLAMD }), CLAMD).not.toThrow();
  }
  const source = (BITCOIN_NETWORK_SOURCE: string) => at({ BITCOIN_NETWORK_SOURCE });
  expect(source("http://mempool.example.com")).toThrow("BITCOIN_NETWORK_SOURCE must be https");
  for (const url of ["https://mempool.example.com", "http://127.0.0.1:8999", "off"]) {
    expect(source(url), url).not.toThrow();
  }
});

test("on mainnet a database or a file store on another machine is reached by TLS, its certificate checked", () => {
  const mainnet = {
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  };
  const on = (env: Record<string, string>) => () => read({ ...mainnet, ...env });
  for (const name of ["DATABASE_URL", "DATABASE_OWNER_URL"]) {
    const refusal = `${name} must end with ?sslmode=verify-full`;
    for (const url of [
      "postgres://a:hunter2@db.example.com/assay",
      "postgres://a:hunter2@db/assay?sslmode=require",
      "postgres://a:hunter2@127.0.0.1/assay?host=db.example.com",
    ]) {
      expect(on({ [name]: url }), url).toThrow(refusal);
      expect(on({ [name]: url }), url).not.toThrow("hunter2");
    }
    for (const url of [
      "postgres://a:b@db.example.com/assay?sslmode=verify-full&sslrootcert=/etc/assay/ca.pem",
      "postgres://a:b@127.0.0.1/assay",
      "postgres://a:b@[::1]/assay",
      "postgres:///assay?host=/run/postgresql",
    ]) {
      expect(on({ [name]: url }), url).not.toThrow();
    }
  }
  const keys = { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
  expect(on({ ...keys, S3_ENDPOINT: "http://s3.example.com/assay" })).toThrow("S3_ENDPOINT");
  expect(on({ ...keys, S3_ENDPOINT: "https://s3.example.com/assay" })).not.toThrow();
  expect(on({ ...keys, S3_ENDPOINT: "http://127.0.0.1:9000/assay" })).not.toThrow();
});

test("withdrawals: a fee below the minimum, an address of the operator's own, and on mainnet no end but the chain's", () => {
  const mainnet = {
    NETWORK: "mainnet",
    APP_URL: "https://mining.example.com",
    DEPOSIT_ADDRESS_BITCOIN: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  };
  const { withdrawals } = read({ WITHDRAWAL_FEE_USDT: "2.5", WITHDRAWAL_MINIMUM_USDT: "5" });
  expect(withdrawals.coins.USDT).toMatchObject({ feeUnits: 2_500_000n, minimumUnits: 5_000_000n });
  expect(withdrawals.coins.BTC.minimumUnits).toBe(70_000n);
  expect(withdrawals).toMatchObject({ hotWalletAddress: null, ethereumFinality: "finalized" });
  expect(() => read({ WITHDRAWAL_FEE_ETH: "0.003" })).toThrow(
    /WITHDRAWAL_FEE_ETH must be an amount of ETH up to 0.0025/,
  );
  const example = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const own = { WITHDRAWAL_ADDRESS_ETHEREUM: example.toLowerCase() };
  expect(read(own).withdrawals.hotWalletAddress).toBe(example);
  expect(() => read({ ...mainnet, ...own })).toThrow(/a published example/);
  expect(() => read({ WITHDRAWAL_ADDRESS_ETHEREUM: "0x1" })).toThrow(/is not an address/);
  const blocks = { WITHDRAWAL_CONFIRMATIONS_ETHEREUM: "12" };
  expect(read(blocks).withdrawals.ethereumFinality).toBe(12);
  expect(() => read({ ...mainnet, ...blocks })).toThrow(/must be finalized on mainnet/);
});

test("knows the secret before, from the environment or beside the current one", () => {
  const before = "b".repeat(40);
  expect(read({}).authSecretBefore).toBeNull();
  expect(read({ AUTH_SECRET_BEFORE: before }).authSecretBefore).toBe(before);
  const own = path.join(dataDir, "exchanged");
  const current = secretInDataDir(own, "auth-secret");
  writeFileSync(path.join(own, "secrets", "auth-secret-before"), before);
  expect(readConfig({ DATA_DIR: own })).toMatchObject({
    authSecret: current,
    authSecretBefore: before,
  });
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
  expect(at({ APP_URL: "http://mining.example.com" })).toThrow("APP_URL must be https on mainnet");
  for (const HOST of ["127.0.0.1", "0.0.0.0"]) {
    expect(at({ APP_URL: "", HOST })).toThrow("APP_URL must be set on mainnet");
  }
  // The next thing that mainnet asks for.
  const passed = "DEPOSIT_ADDRESS_BITCOIN must hold your own address";
  expect(at({ APP_URL })).toThrow(passed);
  // To look at it on the machine itself.
  expect(at({ APP_URL: "http://127.0.0.1:3000" })).toThrow(passed);
});

test("refuses a demo on mainnet", () => {
  expect(() => read({ NETWORK: "mainnet", DEMO: "1" })).toThrow("DEMO");
});

test("takes a node of the chain, and on mainnet none that somebody on the way could change", () => {
  const node = "http://user:secret@127.0.0.1:8332";
  expect(read({}).bitcoinChain).toBeNull();
  expect(read({ BITCOIN_RPC_URL: node }).bitcoinChain).toEqual({ url: node });
  for (const env of [
    { BITCOIN_RPC_URL: "http://127.0.0.1:8332" },
    { BITCOIN_RPC_URL: "127.0.0.1:8332" },
  ]) {
    expect(() => read(env)).toThrow(ConfigError);
    expect(() => read(env)).not.toThrow("secret");
  }
  const mainnet = {
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
    DEPOSIT_ADDRESS_ETHEREUM: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  };
  const elsewhere = { ...mainnet, BITCOIN_RPC_URL: "http://user:secret@192.0.2.7:8332" };
  expect(() => read(elsewhere)).toThrow("BITCOIN_RPC_URL must be https on mainnet");
});

test("reads confirmations by quantity, which only rise", () => {
  const of = (text: string) => read({ BITCOIN_CONFIRMATIONS: text }).confirmations.BTC;
  expect(of("")).toEqual([{ fromUnits: 0n, blocks: 3 }]);
  expect(of("2, 0.5:4,10:12")).toEqual([
    { fromUnits: 0n, blocks: 2 },
    { fromUnits: 50_000_000n, blocks: 4 },
    { fromUnits: 1_000_000_000n, blocks: 12 },
  ]);
  for (const wrong of ["0", "-1", "three", "1:6", "3,6", "3,1:2", "3,2:4,1:5", "3,0:4", "3,1:0"]) {
    expect(() => of(wrong)).toThrow("BITCOIN_CONFIRMATIONS must");
  }
});

test("takes an Ethereum node with the chain and the token of its network", () => {
  const url = "http://127.0.0.1:8545";
  const of = (env: Record<string, string>) => read({ ETHEREUM_RPC_URL: url, ...env });
  const mainnet = {
    NETWORK: "mainnet",
    DEPOSIT_ADDRESS_BITCOIN: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
    DEPOSIT_ADDRESS_ETHEREUM: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  };
  const tether = "0xdac17f958d2ee523a2206206994597c13d831ec7";
  expect(read({}).ethereumChain).toBeNull();
  expect(of({}).ethereumChain).toMatchObject({ url, usdtContract: null, traces: true });
  expect(of({ USDT_CONTRACT: tether, ETHEREUM_TRACES: "off" }).ethereumChain).toMatchObject({
    ownAddresses: [],
    chainIds: [31_337, 1_337],
    usdtContract: tether,
    traces: false,
  });
  expect(of(mainnet).ethereumChain).toMatchObject({ chainIds: [1], usdtContract: tether });
  const hotWallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const own = { ETHEREUM_OWN_ADDRESSES: tether, WITHDRAWAL_ADDRESS_ETHEREUM: hotWallet };
  expect(of(own).ethereumChain?.ownAddresses).toEqual([tether, hotWallet.toLowerCase()]);
  for (const [env, says] of [
    [{ USDT_CONTRACT: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD" }, "USDT_CONTRACT"],
    [{ ...mainnet, USDT_CONTRACT: mainnet.DEPOSIT_ADDRESS_ETHEREUM }, "there is one USDT"],
    [{ ...mainnet, ETHEREUM_RPC_URL: "http://192.0.2.7:8545" }, "must be https on mainnet"],
    [{ ETHEREUM_TRACES: "maybe" }, "ETHEREUM_TRACES"],
    [{ ETHEREUM_INTERNAL_LIMIT: "much" }, "ETHEREUM_INTERNAL_LIMIT must be an amount of ETH"],
    [{ ETHEREUM_OWN_ADDRESSES: `${tether}, 0x12` }, "ETHEREUM_OWN_ADDRESSES is not"],
    [{ ETHEREUM_CONFIRMATIONS: "soon" }, "ETHEREUM_CONFIRMATIONS must be finalized, or"],
    [{ USDT_CONFIRMATIONS: "finalized, 100:12" }, "USDT_CONFIRMATIONS must rise"],
    [{ BITCOIN_CONFIRMATIONS: "finalized" }, "BITCOIN_CONFIRMATIONS must be a number"],
  ] as const) {
    expect(() => of(env), says).toThrow(says);
  }
  expect(of({ ETHEREUM_CONFIRMATIONS: "12, 10:finalized" }).confirmations).toMatchObject({
    ETH: [
      { fromUnits: 0n, blocks: 12 },
      { fromUnits: 10n ** 19n, blocks: "finalized" },
    ],
    USDT: [{ fromUnits: 0n, blocks: "finalized" }],
  });
});

test("backups need a key that opens them, by its public part alone, and are of the embedded database", () => {
  const own = {
    BACKUP_FOLDER: "/mnt/backups",
    BACKUP_RECIPIENT: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
  };
  expect(read({}).backups).toBeNull();
  expect(read({ ...own, SITE_NAME: "Nordhash" }).backups).toMatchObject({
    folder: "/mnt/backups",
    recipients: [own.BACKUP_RECIPIENT],
    keysRecipients: [own.BACKUP_RECIPIENT],
    keepDays: 30,
    settings: { SITE_NAME: "Nordhash", BACKUP_FOLDER: "/mnt/backups" },
  });
  for (const [env, says] of [
    [{ BACKUP_FOLDER: "/mnt/backups" }, "BACKUP_FOLDER needs BACKUP_RECIPIENT"],
    [{ ...own, BACKUP_RECIPIENT: "AGE-SECRET-KEY-1QQQ" }, "must be public keys of age"],
    [{ ...own, BACKUP_RECIPIENT: `${own.BACKUP_RECIPIENT}q` }, "must be public keys of age"],
    [{ ...own, DATABASE_URL: "postgres://a:b@127.0.0.1/c" }, "is for the embedded database"],
  ] as const) {
    expect(() => read(env), says).toThrow(says);
  }
  // What opens backups is not repeated where it was put by mistake.
  expect(() => read({ ...own, BACKUP_RECIPIENT: "AGE-SECRET-KEY-1QQQ" })).not.toThrow("1QQQ");
});

test("names in .env.example every variable that the product reads, and no other", () => {
  const example = readFileSync(".env.example", "utf8");
  const documented = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith(".test.ts"));
  const source = files
    .map((file) => readFileSync(path.join(import.meta.dirname, file), "utf8"))
    .join();
  const readNames = [...source.matchAll(/"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"/g)].map(
    (match) => match[1],
  );
  const notVariables = new Set(["BTC", "ETH", "USDT", "EEXIST", "EPERM", "ENOTSUP"]);
  expect(new Set(documented)).toEqual(
    new Set(readNames.filter((name) => !notVariables.has(name ?? ""))),
  );
});
