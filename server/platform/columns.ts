import { customType, numeric, timestamp } from "#server/platform/tables.ts";

/** A moment, kept with its zone: `timestamptz`. */
export const time = (name: string) => timestamp(name, { withTimezone: true });

/** An amount of an asset's smallest unit, or of US cents, of any size: `numeric(38, 0)`. */
export const amount = (name: string) => numeric(name, { precision: 38, scale: 0, mode: "bigint" });

/** Bytes: `bytea`. node-postgres reads a Buffer and takes any Uint8Array. */
export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => "bytea",
});
