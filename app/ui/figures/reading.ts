import { createContext, useContext } from "react";
import { type Reading, siteReading } from "#core/people/reading.ts";

/** How the person before the page reads dates, numbers and values. A section that knows it provides it. */
export const ReadingContext = createContext<Reading>(siteReading);

export function useReading(): Reading {
  return useContext(ReadingContext);
}
