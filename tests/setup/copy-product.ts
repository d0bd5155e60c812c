import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";

/** What a version's folder holds, or an image: all but what `.dockerignore` names, with the packages of this one. Without its pages. */
export function copyProduct(to: string): void {
  const ignored = new Set(readFileSync(".dockerignore", "utf8").split("\n"));
  mkdirSync(to);
  for (const name of readdirSync(".")) {
    if (!ignored.has(name)) cpSync(name, path.join(to, name), { recursive: true });
  }
  symlinkSync(path.resolve("node_modules"), path.join(to, "node_modules"));
}
