import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { terms } from "#core/terms.ts";
import floors from "../../database/floors.json" with { type: "json" };
import { termsInForce } from "./terms-in-force.ts";

/** One file of `database/`. */
export interface SchemaText {
  /** Its path below `database/`; of a migration, its name. */
  name: string;
  sql: string;
}

export interface Schema {
  /** Each room's tables: with the functions, what a new database is made of. */
  tables: SchemaText[];
  /** Each room's functions and triggers, applied again whenever one of them has changed. */
  functions: SchemaText[];
  /** What brings older databases to today's tables, oldest first. */
  migrations: SchemaText[];
}

const folder = path.resolve(import.meta.dirname, "../../database");

/** The schema of this version of the product, in the order of the floors. */
export function readSchema(): Schema {
  const rooms = floors.flat();
  const ofRooms = (file: string) =>
    rooms
      .map((room) => `${room}/${file}`)
      .filter((name) => existsSync(path.join(folder, name)))
      .map(readText);
  const steps = path.join(folder, "migrations");
  const migrations = (existsSync(steps) ? readdirSync(steps) : [])
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({ ...readText(`migrations/${file}`), name: file.slice(0, -4) }));
  return {
    tables: ofRooms("tables.sql"),
    functions: [
      ...ofRooms("functions.sql"),
      { name: "terms_in_force", sql: termsInForce({ terms }) },
      readText("guards.sql"),
    ],
    migrations,
  };
}

function readText(name: string): SchemaText {
  return { name, sql: readFileSync(path.join(folder, name), "utf8") };
}

/** What a text is known by, in hexadecimal. */
export function sha256Of(texts: SchemaText[]): string {
  const hash = createHash("sha256");
  for (const { name, sql } of texts) hash.update(name).update("\0").update(sql).update("\0");
  return hash.digest("hex");
}
