import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { terms } from "#core/terms.ts";
import floors from "../../../database/floors.json" with { type: "json" };
import product from "../../../package.json" with { type: "json" };
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

const folder = path.resolve(import.meta.dirname, "../../../database");

/** The schema of this version of the product, in the order of the floors. */
export function readSchema(): Schema {
  const texts = floors.flat().flatMap(readRoom);
  const isTables = ({ name }: SchemaText) => path.basename(name) === "tables.sql";
  const migrations = readRoom("migrations").map((text) => ({
    ...text,
    name: path.basename(text.name, ".sql"),
  }));
  return {
    tables: texts.filter(isTables),
    functions: [
      ...texts.filter((text) => !isTables(text)),
      { name: "terms_in_force", sql: termsInForce({ terms }) },
      // A release that takes a change back has the text of one before, and is not it.
      { name: "release", sql: `-- ${product.version}` },
      readText("guards.sql"),
      readText("rights.sql"),
    ],
    migrations,
  };
}

/** All that stands in one folder, by name. */
function readRoom(room: string): SchemaText[] {
  const place = path.join(folder, room);
  return (existsSync(place) ? readdirSync(place) : [])
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => readText(`${room}/${file}`));
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
