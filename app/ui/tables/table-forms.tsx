import { Form, useSearchParams, useSubmit } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Search } from "#app/ui/icons.tsx";
import { pageSizes } from "#core/terms.ts";
import { useHydrated } from "../browser/use-hydrated.ts";
import styles from "./data-table.module.css";
import { otherParams } from "./list-params.ts";

/** 'Show' 10, 25, 50 or 100 rows: `?show=25`. Applies at once; without JavaScript by its button. */
export function PageSizeForm({ show }: { show: number }) {
  const submit = useSubmit();
  const hydrated = useHydrated();
  return (
    <Form method="get" className={styles.form} preventScrollReset>
      <OtherParams own="show" />
      <label htmlFor="page-size">Show</label>
      <SelectField
        id="page-size"
        name="show"
        key={show}
        defaultValue={show}
        choices={pageSizes.map(String)}
        onChange={(event) => submit(event.currentTarget.form, { preventScrollReset: true })}
      />
      {hydrated ? null : (
        <noscript>
          <Button type="submit" look="quiet">
            Apply
          </Button>
        </noscript>
      )}
    </Form>
  );
}

interface SearchBoxProps {
  /** What can be searched for: 'Search deposits'. */
  label: string;
  placeholder?: string;
}

/** A search box that searches: `?q=…`, on Enter or by its button. */
export function SearchBox({ label, placeholder = label }: SearchBoxProps) {
  const [params] = useSearchParams();
  const query = params.get("q") ?? "";
  return (
    <Form
      method="get"
      role="search"
      className={`${styles.form} ${styles.search}`}
      preventScrollReset
    >
      <OtherParams own="q" />
      <TextField
        key={query}
        type="search"
        name="q"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={query}
        icon={<Search size={16} aria-hidden="true" />}
      />
      <Button type="submit" look="quiet">
        Search
      </Button>
    </Form>
  );
}

function OtherParams({ own }: { own: string }) {
  const [params] = useSearchParams();
  return otherParams(params, own).map(([name, value]) => (
    <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
  ));
}
