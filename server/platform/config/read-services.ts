import path from "node:path";
import type { Network } from "#core/payments/address.ts";
import { embedNames } from "#core/text/embeds.ts";
import {
  type Config,
  ConfigError,
  type Environment,
  type ExchangeName,
  exchanges,
} from "../config.ts";
import { isLoopback, isPrivate, sourceUrl, text, url, wholeNumber } from "./read-setting.ts";

export function s3(env: Environment, network: Network): Config["s3"] {
  const endpoint = url(env, "S3_ENDPOINT", ["http:", "https:"]);
  if (!endpoint) return null;
  if (network === "mainnet" && !isPrivate(new URL(endpoint))) {
    throw new ConfigError("S3_ENDPOINT must be https on mainnet: slips and keys cross a network.");
  }
  return {
    endpoint,
    region: text(env, "S3_REGION", "us-east-1"),
    accessKeyId: required(env, "S3_ACCESS_KEY_ID"),
    secretAccessKey: required(env, "S3_SECRET_ACCESS_KEY"),
  };
}

/** `tcp://host:port`, or the path of a socket. */
export function clamd(env: Environment, network: Network): Config["clamd"] {
  const wanted = env["CLAMD"]?.trim();
  if (!wanted) return null;
  if (path.isAbsolute(wanted)) return { path: wanted };
  const at = URL.canParse(wanted) ? new URL(wanted) : null;
  if (at?.protocol !== "tcp:" || !at.hostname || !at.port) {
    throw new ConfigError(
      `CLAMD must be tcp://host:port or the path of a socket, not "${wanted}".`,
    );
  }
  if (network === "mainnet" && !isLoopback(at.hostname)) {
    throw new ConfigError(
      "CLAMD must be a socket or tcp:// on this machine on mainnet: documents would cross a network in the clear.",
    );
  }
  return { host: at.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(at.port) };
}

function required(env: Environment, name: string): string {
  const value = env[name]?.trim();
  if (!value) throw new ConfigError(`${name} is required when S3_ENDPOINT is set.`);
  return value;
}

export function prices(env: Environment, network: Network): Config["prices"] {
  const wanted = text(env, "PRICE_SOURCES", Object.keys(exchanges).join(","));
  const sources =
    wanted === "off" ? [] : wanted.split(",").map((one) => priceSource(one.trim(), network));
  if (new Set(sources.map(({ name }) => name)).size < sources.length) {
    throw new ConfigError("PRICE_SOURCES names an exchange twice: its word would count twice.");
  }
  const needed = wholeNumber(env, "PRICE_SOURCES_NEEDED", 2, 1, 9);
  if (sources.length > 0 && needed > sources.length) {
    throw new ConfigError(
      `PRICE_SOURCES_NEEDED is ${needed}, but PRICE_SOURCES names only ${sources.length}.`,
    );
  }
  if (network === "mainnet" && sources.length > 0 && needed < 2) {
    throw new ConfigError(
      "PRICE_SOURCES_NEEDED must be 2 or more on mainnet: one exchange alone could say anything.",
    );
  }
  return { sources, needed, pollSeconds: wholeNumber(env, "PRICE_POLL_SECONDS", 15, 5, 60) };
}

/** `kraken`, or `kraken=https://…` for one that is reached elsewhere. */
function priceSource(given: string, network: Network): { name: ExchangeName; url: string } {
  const [name = "", elsewhere] = given.split(/=(.*)/);
  if (!isExchange(name)) {
    const known = Object.keys(exchanges).join(", ");
    throw new ConfigError(`PRICE_SOURCES must be off, or some of ${known}, not "${name}".`);
  }
  const because = "money is valued with what it says";
  const own = sourceUrl("PRICE_SOURCES", elsewhere, { network, because });
  return { name, url: own ?? exchanges[name] };
}

function isExchange(name: string): name is ExchangeName {
  return Object.hasOwn(exchanges, name);
}

const provider = {
  scriptOrigin: "https://s3.tradingview.com",
  frameOrigins: ["https://www.tradingview-widget.com", "https://s.tradingview.com"],
};

/** Asked only with a token. It says how much is credited: nobody on the way may change that. */
export function braiins(env: Environment, network: Network): Config["braiins"] {
  const because = "payouts rest on what it says";
  const own = sourceUrl("BRAIINS_POOL_URL", env["BRAIINS_POOL_URL"], { network, because });
  const token = env["BRAIINS_POOL_TOKEN"]?.trim();
  if (!token) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(token)) {
    throw new ConfigError("BRAIINS_POOL_TOKEN must be the token alone, as the pool shows it.");
  }
  return { url: own ?? "https://pool.braiins.com", token };
}

/** Off unless named. Tests may put a server of their own in the provider's place; nobody else may. */
export function embeds(env: Environment, network: Network): Config["embeds"] {
  const wanted = text(env, "EMBEDDED_WIDGETS", "")
    .split(",")
    .map((name) => name.trim());
  const unknown = wanted.find((name) => name !== "" && !embedNames.some((known) => known === name));
  if (unknown !== undefined) {
    throw new ConfigError(
      `EMBEDDED_WIDGETS takes ${embedNames.join(", ")}, separated by commas, not "${unknown}".`,
    );
  }
  const names = embedNames.filter((name) => wanted.includes(name));
  const standIn = url(env, "EMBEDDED_WIDGETS_STAND_IN", ["http:"]);
  if (standIn === null) return { names, ...provider };
  const { origin, hostname } = new URL(standIn);
  if (network === "mainnet" || hostname !== "127.0.0.1") {
    throw new ConfigError(
      "EMBEDDED_WIDGETS_STAND_IN is for tests: http://127.0.0.1, not on mainnet.",
    );
  }
  return { names, scriptOrigin: origin, frameOrigins: [origin] };
}
