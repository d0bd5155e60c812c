import styles from "./footer.module.css";

/** Who runs the site, as the operator has entered it. What is empty is not shown. */
export interface CompanyDetailsProps {
  name: string;
  registration: string;
  postalAddress: string;
  email: string;
  phone: string;
  officeHours: string;
}

/** The company in the footer: name, register, address, and how to reach it. */
export function CompanyDetails({ company }: { company: CompanyDetailsProps }) {
  const { name, registration, postalAddress, email, phone, officeHours } = company;
  const said = [name, registration, postalAddress, email, phone, officeHours];
  if (said.every((text) => text === "")) return null;
  return (
    <address className={styles.company}>
      {name ? <strong>{name}</strong> : null}
      {registration ? <span>{registration}</span> : null}
      {postalAddress ? <span>{postalAddress}</span> : null}
      {email ? <a href={`mailto:${email}`}>{email}</a> : null}
      {phone ? <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a> : null}
      {officeHours ? <span>{officeHours}</span> : null}
    </address>
  );
}
