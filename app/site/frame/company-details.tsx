import type { Company } from "#server/content/content.ts";
import styles from "./footer.module.css";
import { PhoneLink } from "./phone-link.tsx";

/** The company in the footer: name, register, address, and how to reach it. What is empty is not shown. */
export function CompanyDetails({ company }: { company: Company }) {
  const { name, registration, postalAddress, email, phone, officeHours } = company;
  const said = [name, registration, postalAddress, email, phone, officeHours];
  if (said.every((text) => text === "")) return null;
  return (
    <address className={styles.company}>
      {name ? <strong>{name}</strong> : null}
      {registration ? <span>{registration}</span> : null}
      {postalAddress ? <span>{postalAddress}</span> : null}
      {email ? <a href={`mailto:${email}`}>{email}</a> : null}
      {phone ? <PhoneLink number={phone} /> : null}
      {officeHours ? <span>{officeHours}</span> : null}
    </address>
  );
}
