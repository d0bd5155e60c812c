import type { ClientBase, Pool } from "pg";

/** Customers of a bench as rows alone, numbered as `benchCustomer` numbers them: nobody registers. */
export async function insertCustomers(
  on: ClientBase | Pool,
  count: number,
  since: Date,
): Promise<void> {
  await on.query(
    `insert into users (id, kind, email, first_name, last_name, created_at, updated_at)
     select lpad(to_hex(n), 32, '0')::uuid, 'customer', 'bench-' || n || '@example.com', 'Bench', 'Customer', $2, $2
       from generate_series(1, $1::int) n`,
    [count, since],
  );
  await on.query(
    `insert into customers (id, accepted_terms_at, created_at)
     select lpad(to_hex(n), 32, '0')::uuid, $2, $2 from generate_series(1, $1::int) n`,
    [count, since],
  );
}
