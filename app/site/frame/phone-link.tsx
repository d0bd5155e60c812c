/** A number that a phone can call: as it was written, dialled without its spaces. */
export function PhoneLink({ number }: { number: string }) {
  return <a href={`tel:${number.replace(/[^+\d]/g, "")}`}>{number}</a>;
}
