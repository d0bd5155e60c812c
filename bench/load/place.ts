import path from "node:path";
import { freePort } from "#tests/setup/free-port.ts";

/** Settings of a product that shares nothing with another. */
export async function ownPlace(
  folder: string,
  name: string,
): Promise<{ DATA_DIR: string; PORT: string }> {
  return {
    DATA_DIR: path.join(folder, name),
    PORT: String(await freePort()),
  };
}

/** The first prices come some seconds after the start; the pages are audited with them. */
export async function untilPricesAreThere(url: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (!(await (await fetch(url)).text()).includes("Prices unavailable")) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
