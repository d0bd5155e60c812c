create table issued_statements (
  id uuid primary key,
  -- Letters and digits that are not mistaken for each other, a hundred bits: only holders of the paper know it.
  code text collate "C" not null constraint codes_have_twenty_signs check (code ~ '^[2-9A-HJ-NP-Z]{20}$')
    constraint one_issued_statement_per_code unique, customer_id uuid not null references customers,
  period text not null constraint statements_are_of_a_known_period check (period in ('month', 'year', 'tax-year')),
  from_day date not null, through_day date not null,
  entries integer not null constraint statements_count_their_entries check (entries >= 0),
  sha256 bytea not null constraint statements_are_known_by_their_sha256 check (length(sha256) = 32), issued_at timestamptz not null,
  constraint statements_are_of_a_month_or_a_year check (extract(day from from_day) between 1 and 28
    and through_day = (from_day + case period when 'month' then interval '1 month' else interval '1 year' end - interval '1 day')::date),
  -- Asked for again while nothing was added, it is the same statement.
  constraint one_issued_statement_per_content unique (customer_id, period, from_day, sha256)
);

create table issued_statement_coins (
  statement_id uuid references issued_statements,
  asset text collate "C" constraint statements_are_about_coins check (asset in ('BTC', 'ETH', 'USDT')),
  opening_units numeric(38, 0) not null constraint statements_open_at_zero_or_above check (opening_units >= 0),
  in_units numeric(38, 0) not null constraint what_came_in_is_not_below_zero check (in_units >= 0),
  out_units numeric(38, 0) not null constraint what_went_out_is_not_below_zero check (out_units >= 0),
  closing_units numeric(38, 0) not null constraint statements_close_at_zero_or_above check (closing_units >= 0),
  constraint statements_add_up check (closing_units = opening_units + in_units - out_units),
  constraint one_row_per_statement_and_coin primary key (statement_id, asset)
);
