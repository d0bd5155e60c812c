-- What the application's role may do with tables: nothing that is not here. What it may call is said in each room.
revoke all on all tables in schema public from assay_app;
grant select on all tables in schema public to assay_app;
-- The verification asks whether seals note numbers that were never drawn. Reading the last one draws none.
grant select on ledger_transfer_numbers to assay_app;

grant insert on
  installation, installation_keys, mail_keys, mail_phrases, mails, accepted_texts, account_events, account_freezes, attempts, audit_log, credentials,
  customer_settings, customer_views, customers, email_changes, freeze_links, pending_mfa_sessions, mailed_links, money_holds, muted_notices,
  operators, passkey_challenges, passkeys, recovery_codes, sessions, staff_changes, totp_secrets, users, market_assets, market_candles,
  market_drops, market_quotes, market_rounds, market_sources, residence_statements, kyc_decline_reasons, kyc_documents,
  kyc_drafts, kyc_reviews, kyc_submission_documents, kyc_submissions, notices, contact_mails,
  contact_files, contact_messages, contact_replies, contact_spent_proofs, contact_threads, customer_flags, staff_notes,
  newsletter_mails, newsletter_subscriptions, content_pieces, content_versions,
  testimonial_consents, testimonials, chain_blocks, chain_deep_reorgs, chain_payments, chain_positions,
  chain_reorgs, chain_scripts, chain_sources, chain_transactions, chain_incidents, deposit_addresses, wallet_addresses, wallets,
  machine_deliveries, outages, sites, plan_versions, plans, pool_addresses, pool_payouts, pool_pulls, pool_statements, pools,
  contract_quotes, contracts, maintenance_changes, receipt_links, deposit_slips, deposits, deposit_approvals, payment_resolutions, resolved_payments, coin_scans,
  withdrawal_abandonments, withdrawal_addresses, withdrawal_batch_coins, withdrawal_batch_incidents, withdrawal_batch_versions,
  withdrawal_batches, withdrawal_holds, withdrawal_payments, withdrawal_resolutions, withdrawal_transactions, withdrawals,
  failing_withdrawals, digest_choices, digest_sweeps, mining_settings, issued_statement_coins, issued_statements, adjustment_evidence, adjustments, account_closings,
  data_exports, left_remainders, custody_counts, custody_days, custody_explanations, custody_holdings, wallet_readings, reserve_signatures,
  alarms, alarm_silences, backup_marks, disks to assay_app;

grant delete on
  installation_keys, mail_keys, mail_phrases, mails, attempts, credentials, customer_settings, email_changes, freeze_links, pending_mfa_sessions, mailed_links,
  muted_notices, passkey_challenges, passkeys, recovery_codes, sessions, totp_secrets, market_drops, market_prices, kyc_drafts,
  notices, contact_mails, contact_files, contact_messages, contact_replies, contact_spent_proofs, contact_threads, customer_flags,
  staff_notes, newsletter_mails, newsletter_subscriptions, testimonial_consents, chain_blocks,
  contract_quotes, deposit_slips, withdrawal_addresses, withdrawal_batch_incidents, failing_withdrawals, digest_choices, adjustment_evidence,
  data_exports, backup_marks, disks to assay_app;

-- Any column.
grant update on
  attempts, installation_keys, customer_settings, mailed_links, sessions, market_assets, market_candles, market_rounds, market_sources,
  kyc_drafts, chain_positions, chain_sources, plan_versions, pool_pulls, withdrawal_batch_incidents,
  failing_withdrawals, digest_choices, digest_sweeps, backup_marks, disks to assay_app;

-- Where a trigger says which columns may change: these.
do $$
declare of record;
begin
  for of in
    select c.attname as name, c.attrelid::regclass as relation
      from (select tgrelid, tgfoid, string_to_array(encode(tgargs, 'escape'), '\000') as args from pg_trigger) t
      join pg_attribute c on c.attrelid = t.tgrelid and c.attnum > 0 and c.attgenerated = '' and c.attname = any (string_to_array(
             case t.tgfoid::regproc::text
               when 'keep_columns' then array_to_string(args, ' ')
               when 'guard_what_two_decide' then 'state decided_by decided_by_act decided_at ' || args[5] end, ' '))
  loop
    execute format('grant update (%I) on %s to assay_app', of.name, of.relation);
  end loop;
end $$;

-- Elsewhere, one by one.
grant update (body_text, body_html, state, attempts, last_error, sending_until, sent_via, sent_at, resent_by_act) on mails to assay_app;
grant update (phrase, changed_at) on mail_phrases to assay_app;
grant update (email, first_name, last_name, email_verified, updated_at) on users to assay_app;
grant update (proved_by, proved_at) on sessions to assay_app;
grant update (sealed_secret, confirmed_at, last_step, key_name) on totp_secrets to assay_app;
grant update (used_at) on recovery_codes to assay_app;
grant update (attempts) on pending_mfa_sessions to assay_app;
grant update (detail, ip_address, user_agent) on account_events to assay_app;
grant update (used_at) on freeze_links to assay_app;
grant update (old_confirmed_at, new_confirmed_at, ended_at, outcome) on email_changes to assay_app;
grant update (dashboard_message, dashboard_message_expires_at, dashboard_message_act, closed_at, erased_at) on customers to assay_app;
grant update (role, state, changed_by_act, gets_morning_mail) on operators to assay_app;
grant update (state, decided_by, decided_by_act, decided_at) on staff_changes to assay_app;
grant update (lifted_at, lifted_by_act, lift_reason) on account_freezes to assay_app;
grant insert (id, asset, usd_e8, usd_e8_day_before, observed_at, agreed, simulated) on market_prices to assay_app;
grant update (pinned) on market_prices to assay_app;
grant update (ended_at) on market_drops to assay_app;
grant insert (observed_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats, fees_per_block_sats, fastest_fee_sat_per_vb,
  half_hour_fee_sat_per_vb, hour_fee_sat_per_vb) on network_figures to assay_app;
grant update (original_name, key_id, wrapped_key, stored_at, replaced_at, erasing_at, erased_at) on kyc_documents to assay_app;
grant update (state, is_suspected, waiting_since, last_at, revision, changed_by_act, has_news) on contact_threads to assay_app;
grant update (message_id, original_name) on contact_files to assay_app;
grant update (email, state, asked_at, source, text_version, confirmation_sha256, confirmation_expires_at, confirmed_at, ended_at, ended_by)
  on newsletter_subscriptions to assay_app;
grant update (position, moved_by_act) on content_pieces to assay_app;
grant update (declined_at, withdrawn_at, withdrawn_by_act, published_consent_id, published_at, published_by_act, unpublished_by_act,
  contract_id) on testimonials to assay_app;
grant update (ended_at, ended_by) on testimonial_consents to assay_app;
grant update (compared_at, compared_action_id) on wallets to assay_app;
grant update (ended_at) on chain_incidents to assay_app;
grant insert (site_id, effective_from, usd_micros_per_kwh, evidence, created_at, action_id) on site_energy_prices to assay_app;
grant insert (delivery_id, effective_from, machines, measured_ghs, power_watts, evidence, created_at, action_id) on machine_delivery_states to
  assay_app;
grant insert (reserve_ppm, created_at, action_id) on fleet_reserves to assay_app;
grant insert (second_person_above_sats, created_at, action_id) on payout_limits to assay_app;
grant insert (pool_id, url, created_at, action_id) on pool_watch_urls to assay_app;
grant update (original_name, stored_at, submitted_at, discarded_at, erased_at) on deposit_slips to
  assay_app;
grant update (finished_at, height, coins, fault) on coin_scans to assay_app;
grant update (released_at) on withdrawal_batch_coins to assay_app;
grant update (told_at) on mining_chunks, inactivity_notices, contract_endings, mining_failures to assay_app;
grant update (notices) on maintenance_clocks to assay_app;
grant update (original_name, stored_at, used_at, discarded_at, erased_at) on adjustment_evidence to assay_app;
grant update (state, closed_at, erase_after, return_token_sha256, ended_at) on account_closings to assay_app;
grant update (state, file_key, secret, byte_size, ready_at, expires_at, ended_at) on data_exports to assay_app;
