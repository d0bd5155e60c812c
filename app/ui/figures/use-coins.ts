import { useRouteLoaderData } from "react-router";
import { type Coin, coins } from "#core/asset.ts";

/** The coins that this site offers (`COINS`). */
export function useCoins(): readonly Coin[] {
  return useRouteLoaderData<{ coins: readonly Coin[] }>("root")?.coins ?? coins;
}
