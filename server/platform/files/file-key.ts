import { randomBytes } from "node:crypto";

/** A new key with 128 random bits, in one of 256 folders: `slips/3f/3f9c…`. */
export function randomFileKey(
  kind: "slips" | "documents" | "exports" | "evidence" | "messages" | "canary",
): string {
  const name = randomBytes(16).toString("hex");
  return `${kind}/${name.slice(0, 2)}/${name}`;
}

/** Keys are made by the product. Anything else (`../`, an absolute path) is a mistake and stops here. */
export function requireFileKey(key: string): void {
  if (!isFileKey(key)) throw new Error("not the key of a file");
}

export function isFileKey(key: string): boolean {
  return /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{32}$/.test(key);
}
