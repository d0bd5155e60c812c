import { isCountry } from "#core/people/countries.ts";
import {
  type IdentityKind,
  identityKinds,
  type SecondProof,
  secondProofs,
} from "#core/people/kyc.ts";
import { oneLine } from "#core/text/plain-text.ts";
import { isDay } from "#core/utc-day.ts";
import { z } from "#core/zod.ts";

export const residenceSchema = z.object({
  country: z
    .string("Choose the country you live in")
    .check(z.refine(isCountry, "Choose a country from the list")),
});

function line(missing: string, maxLength: number) {
  return z
    .string(missing)
    .check(
      z.overwrite(oneLine),
      z.minLength(1, missing),
      z.maxLength(maxLength, `At most ${maxLength} characters`),
    );
}

function optionalLine(maxLength: number) {
  return z.optional(line("", maxLength));
}

export const detailsSchema = z.object({
  legalName: line("Enter your name as it is on your document", 200),
  dateOfBirth: z
    .string("Enter your date of birth")
    .check(z.refine(isDay, "Enter a real date, for instance 1990-12-31")),
  addressLine: line("Enter the street and number you live at", 200),
  addressLine2: optionalLine(200),
  postalCode: optionalLine(20),
  city: line("Enter your city", 100),
  region: optionalLine(100),
});

const kinds = Object.keys(identityKinds) as [IdentityKind, ...IdentityKind[]];
const proofs = Object.keys(secondProofs) as [SecondProof, ...SecondProof[]];

export const identitySchema = z.object({
  kind: z.enum(kinds, "Choose a document"),
  expiresOn: z.optional(
    z.string().check(z.refine(isDay, "Enter a real date, for instance 2031-12-31")),
  ),
});

export const secondProofSchema = z.object({
  secondProof: z.enum(proofs, "Choose what you send"),
});
