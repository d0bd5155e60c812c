import type { Coin } from "#core/asset.ts";
import { checkEthereumAddress, type Network, toChecksumAddress } from "#core/payments/address.ts";
import { terms } from "#core/terms.ts";
import { type Config, ConfigError, type Environment, type WithdrawalSettings } from "../config.ts";
import {
  address,
  coinAmount,
  type Setting,
  testAddresses,
  text,
  wholeNumber,
} from "./read-setting.ts";

export function withdrawals(
  env: Environment,
  network: Network,
  hotWalletAddress: string | null,
): Config["withdrawals"] {
  return {
    coins: {
      BTC: withdrawalSettings(env, "BTC", {
        fee: ["WITHDRAWAL_FEE_BTC", "0.00005"],
        twoPeople: ["WITHDRAWAL_TWO_PEOPLE_BTC", "0.1"],
      }),
      ETH: withdrawalSettings(env, "ETH", {
        fee: ["WITHDRAWAL_FEE_ETH", "0.0005"],
        minimum: ["WITHDRAWAL_MINIMUM_ETH", "0.005"],
        twoPeople: ["WITHDRAWAL_TWO_PEOPLE_ETH", "2"],
      }),
      USDT: withdrawalSettings(env, "USDT", {
        fee: ["WITHDRAWAL_FEE_USDT", "3"],
        minimum: ["WITHDRAWAL_MINIMUM_USDT", "20"],
        twoPeople: ["WITHDRAWAL_TWO_PEOPLE_USDT", "5000"],
      }),
    },
    hotWalletAddress,
    ethereumFinality: ethereumFinality(env, network),
  };
}

/** Of bitcoin the terms say the minimum. The smallest withdrawal must leave something to arrive. */
function withdrawalSettings(
  env: Environment,
  coin: Coin,
  { fee, minimum, twoPeople }: { fee: Setting; minimum?: Setting; twoPeople: Setting },
): WithdrawalSettings {
  const minimumUnits = minimum ? coinAmount(env, minimum, coin) : terms.minimumWithdrawalSats;
  return {
    minimumUnits,
    feeUnits: coinAmount(env, fee, coin, minimumUnits / 2n),
    twoPeopleAboveUnits: coinAmount(env, twoPeople, coin),
  };
}

export function hotWalletAddress(env: Environment, network: Network): string | null {
  const name = "WITHDRAWAL_ADDRESS_ETHEREUM";
  const given = env[name]?.trim();
  if (!given) return null;
  const example = testAddresses.ethereum;
  return toChecksumAddress(address(env, name, network, checkEthereumAddress, example));
}

/** Money is given back or called paid by it: on mainnet only the chain itself says what is final. */
function ethereumFinality(env: Environment, network: Network): number | "finalized" {
  const name = "WITHDRAWAL_CONFIRMATIONS_ETHEREUM";
  const given = text(env, name, "finalized");
  if (given === "finalized") return given;
  if (network === "mainnet") throw new ConfigError(`${name} must be finalized on mainnet.`);
  return wholeNumber(env, name, 1, 1, 1000);
}
