import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

/**
 * An Ethereum node for tests: the anvil that ANVIL names, else the one that npm brought along for this kind of machine,
 * else one on PATH.
 *
 * @throws Error that says how to get one
 */
export function findAnvil(): string {
  const given = process.env["ANVIL"];
  if (given) return given;
  const installed = [...broughtByNpm(), ...onPath()].find(existsSync);
  if (installed) return installed;
  throw new Error(
    "Tests need anvil here: install Foundry (https://getfoundry.sh), or name it as ANVIL.",
  );
}

/** Only Linux on x86-64 has the package: an optional dependency. */
function broughtByNpm(): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      "@foundry-rs/anvil-linux-amd64/package.json",
    );
    return [path.join(path.dirname(manifest), "bin", "anvil")];
  } catch {
    return [];
  }
}

function onPath(): string[] {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, "anvil"));
}
